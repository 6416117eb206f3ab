import { ErrorResult } from "@vendure/core";

/** The reasons why a bundle was not added, by the names under which Vendure looks up error messages. */
export const MESSAGES = {
  BUNDLE_NOT_READABLE: "`configured` is not the response of a configure request for a native bundle.",
  BUNDLE_NOT_FOR_SALE: "The bundle contains a variant that is not for sale.",
};

/** The result for a bundle that cannot be added. */
export class BundleNotAddedError extends ErrorResult {
  override readonly __typename = "BundleNotAddedError";
  override readonly errorCode = "BUNDLE_NOT_ADDED_ERROR";

  constructor(override readonly message: keyof typeof MESSAGES) {
    super();
  }
}
