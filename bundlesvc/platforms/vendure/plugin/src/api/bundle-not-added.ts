import { ErrorResult } from "@vendure/core";

/** The answer to a bundle that cannot be added. */
export class BundleNotAddedError extends ErrorResult {
  override readonly __typename = "BundleNotAddedError";
  override readonly errorCode = "BUNDLE_NOT_ADDED_ERROR";

  constructor(override readonly message: string) {
    super();
  }
}
