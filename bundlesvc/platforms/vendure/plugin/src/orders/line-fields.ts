import { type CustomFieldConfig, LanguageCode, type OrderLine } from "@vendure/core";

/** The custom fields that the plugin stores on an order line. They cannot be changed through any API. */
export interface LineFields {
  /** `<configured bundle>#<parent variant>#<unique id>` */
  readonly bundleData: string | null;
  /** The product whose fee the line is; null for a unit of the bundle. */
  readonly bundleFee: string | null;
  readonly bundleDiscount: string | null;
  readonly bundleId: number | null;
  readonly bundleTitle: string | null;
  /** The shopper's answers by label, as a JSON object. */
  readonly bundleAnswers: string | null;
}

export const MOST_LETTERS = 255;

export const LINE_FIELDS: CustomFieldConfig[] = [
  textField("bundleData", "Bundle", MOST_LETTERS),
  textField("bundleTitle", "Title of the bundle", MOST_LETTERS),
  { name: "bundleId", type: "int", label: english("Number of the bundle"), nullable: true, readonly: true },
  textField("bundleFee", "Fee of product", MOST_LETTERS),
  { name: "bundleAnswers", type: "text", label: english("Personalisation"), nullable: true, readonly: true },
  { name: "bundleDiscount", type: "text", label: english("Discount string"), nullable: true, readonly: true },
];

export function fieldsOf(line: OrderLine): Partial<LineFields> {
  return (line.customFields ?? {}) as Partial<LineFields>;
}

function textField(name: string, label: string, length: number): CustomFieldConfig {
  return { name, type: "string", length, label: english(label), nullable: true, readonly: true };
}

function english(value: string): Array<{ languageCode: LanguageCode; value: string }> {
  return [{ languageCode: LanguageCode.en, value }];
}
