// Generated from the OpenAPI document by openapi-typescript: change the schemas in Python, then run scripts/wire-types.

export interface components {
    schemas: {
        /** @description The discount that results from the bundle's conditions. */
        readonly ConditionsDiscount: {
            /**
             * @description As in the bundle's own discount.
             * @enum {string}
             */
            readonly type: "percentage" | "fixed" | "price";
            /** @description A percentage, an amount or a price, by `type`. */
            readonly value: string;
        };
        /** @description A fault of the input, or a rule that is not met. `code` determines which optional fields are present. */
        readonly Detail: {
            /** @description The field at fault. */
            readonly path: string;
            /**
             * @description A stable code.
             * @enum {string}
             */
            readonly code: "answers_too_long" | "blocked" | "different_price" | "invalid" | "invalid_character" | "invalid_email" | "item_count" | "limit_not_met" | "mismatch" | "not_active" | "not_in_section" | "not_offered" | "not_sold_in_country" | "product_hidden" | "required" | "required_missing" | "section_hidden" | "sold_out" | "too_long" | "type_mismatch" | "unknown_field" | "unknown_group" | "unknown_option" | "unknown_product" | "unknown_section" | "unknown_template" | "unknown_variant" | "variant_not_allowed";
            /** @description A sentence for a person, in English. */
            readonly message: string;
            /**
             * @description The rule's type.
             * @enum {string}
             */
            readonly rule?: "bundle-price" | "bundle-price-before-discount" | "total-number-of-products" | "number-of-different-products" | "multiples-of" | "amount-of-one-product" | "amount-of-one-variant" | "amount-of-weight";
            /**
             * @description What `limit`, `actual` and `missing` are: items, money in the shop's currency, or a weight.
             * @enum {string}
             */
            readonly unit?: "items" | "money" | "weight";
            /** @description The rule's operation. */
            readonly operation?: string;
            /** @description The section that is measured. Null: the whole bundle. */
            readonly sectionId?: number | null;
            /** @description What is required, in the rule's unit. */
            readonly limit?: string;
            /** @description What the selection has, or its price. */
            readonly actual?: string;
            /** @description The price that the request expected, as it was sent. */
            readonly expected?: string;
            /** @description What to add; 0 when there is too much. */
            readonly missing?: string;
            /** @description The limits of which one must be met; `limit` is the nearest. */
            readonly alternatives?: readonly string[];
            /** @description The product concerned. */
            readonly platformProductId?: string;
            /** @description The variant concerned. */
            readonly platformVariantId?: string;
            /** @description The discount that the service calculated. Null: none. */
            readonly conditionsDiscount?: components["schemas"]["ConditionsDiscount"] | null;
        } & ({
            /** @enum {string} */
            readonly code: "answers_too_long" | "blocked" | "invalid" | "invalid_character" | "invalid_email" | "item_count" | "not_in_section" | "not_offered" | "required" | "too_long" | "type_mismatch" | "unknown_field" | "unknown_group" | "unknown_option" | "unknown_product" | "unknown_section" | "unknown_template" | "unknown_variant" | "variant_not_allowed";
        } | {
            /** @enum {string} */
            readonly code: "different_price";
            readonly expected: string;
            readonly actual: string;
        } | {
            /** @enum {string} */
            readonly code: "limit_not_met";
            /** @enum {string} */
            readonly rule: "bundle-price" | "bundle-price-before-discount" | "total-number-of-products" | "number-of-different-products" | "multiples-of" | "amount-of-one-product" | "amount-of-one-variant" | "amount-of-weight";
            /** @enum {string} */
            readonly unit: "items" | "money" | "weight";
            readonly operation: string;
            readonly sectionId: number | null;
            readonly limit: string;
            readonly actual: string;
            readonly missing: string;
        } | {
            /** @enum {string} */
            readonly code: "mismatch";
            readonly conditionsDiscount: components["schemas"]["ConditionsDiscount"] | null;
        } | {
            /** @enum {string} */
            readonly code: "not_active" | "product_hidden";
            readonly platformProductId: string;
        } | {
            /** @enum {string} */
            readonly code: "not_sold_in_country" | "sold_out";
            readonly platformVariantId: string;
        } | {
            /** @enum {string} */
            readonly code: "required_missing";
            readonly platformProductId: string;
            readonly limit: string;
            readonly actual: string;
            readonly missing: string;
        } | {
            /** @enum {string} */
            readonly code: "section_hidden";
            readonly sectionId: number | null;
        });
        /** @description The body of every error response. */
        readonly Error: {
            /** @description One sentence for a person. */
            readonly error: string;
            /**
             * @description A stable code.
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request" | "selection_invalid" | "rules_not_met" | "subscription_invalid" | "personalisation_invalid" | "conditions_discount_mismatch" | "price_changed" | "idempotency_key_invalid" | "idempotency_key_reused" | "content_encoding_unsupported" | "body_too_slow" | "key_invalid" | "key_scope" | "origin_not_allowed" | "shop_not_enabled" | "signature_invalid" | "not_found" | "body_too_large" | "rate_limited" | "platform_error" | "overloaded" | "shutting_down" | "platform_not_connected" | "platform_unavailable" | "ghost_variants_full" | "storage_unavailable" | "platform_timeout" | "http_version_unsupported" | "method_not_allowed" | "internal_error";
            /** @description Also in the header X-Request-Id. Quote it when you report a problem. */
            readonly requestId: string;
            /** @description 404 only. */
            readonly detail?: string;
            /** @description 400 only: every fault, up to 100. */
            readonly details?: readonly components["schemas"]["Detail"][];
            /**
             * @description 429 only: the costly result that this visitor created too many of.
             * @enum {string}
             */
            readonly limit?: "ghost_variants" | "configured_bundles" | "reminders" | "subscriptions";
        } & ({
            /** @enum {string} */
            readonly code: "invalid_request";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "invalid" | "required" | "unknown_template";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "selection_invalid";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "item_count" | "unknown_section" | "unknown_product" | "unknown_variant" | "not_in_section" | "variant_not_allowed";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "rules_not_met";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "limit_not_met" | "type_mismatch" | "not_active" | "sold_out" | "not_sold_in_country" | "required_missing" | "section_hidden" | "product_hidden" | "blocked";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "subscription_invalid";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "not_offered" | "required" | "invalid_email" | "unknown_group" | "unknown_option";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "personalisation_invalid";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "required" | "unknown_field" | "too_long" | "not_offered" | "invalid" | "invalid_character" | "answers_too_long";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "conditions_discount_mismatch";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "mismatch";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "price_changed";
            readonly details?: readonly (components["schemas"]["Detail"] & {
                /** @enum {string} */
                readonly code: "different_price";
            })[];
        } | {
            /** @enum {string} */
            readonly code: "invalid_json" | "idempotency_key_invalid" | "idempotency_key_reused" | "content_encoding_unsupported" | "body_too_slow" | "key_invalid" | "key_scope" | "origin_not_allowed" | "shop_not_enabled" | "signature_invalid" | "not_found" | "body_too_large" | "rate_limited" | "platform_error" | "overloaded" | "shutting_down" | "platform_not_connected" | "platform_unavailable" | "ghost_variants_full" | "storage_unavailable" | "platform_timeout" | "http_version_unsupported" | "method_not_allowed" | "internal_error";
        });
        /** @description A published bundle as it appears in the list. The last three fields are present with `include=offer`. */
        readonly BundleSummary: {
            /** @description Bundle ID. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description May be empty. */
            readonly description: string;
            /** @description May be empty. */
            readonly imageUrl: string;
            /**
             * @description How it is sold: `native` as its items on lines of their own, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description Normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Always true in the list. A test key also reads unpublished bundles, by id. */
            readonly published: boolean;
            /** @description The handle of the bundle's own product; empty when it has none. */
            readonly handle?: string;
            /** @description The price of the cheapest selection that can be configured, in the shop's currency. Null where it is not known exactly. */
            readonly fromPrice?: string | null;
            /** @description The bundle's own discount in a sentence. Null: it has none. */
            readonly discountSummary?: string | null;
        };
        /** @description One step of a tiered discount. */
        readonly Tier: {
            /**
             * @description What is counted: items, items of one product, or money.
             * @enum {string}
             */
            readonly type: "total_products" | "bulk_buy" | "total_price";
            /** @description The threshold, a decimal string. */
            readonly value: string;
            /**
             * @description How the count is compared with `value`.
             * @enum {string}
             */
            readonly operation: "gt" | "gte" | "lt" | "lte" | "eq";
            /** @description A percentage, an amount or a price, by the discount's `type`. */
            readonly discount: string;
            /** @description The merchant's own wording for this tier, or null. */
            readonly customText: string | null;
        };
        /** @description The bundle's own discount. */
        readonly Discount: {
            /**
             * @description `percentage` off, a `fixed` amount off, or a `price` for the whole bundle.
             * @enum {string}
             */
            readonly type: "percentage" | "fixed" | "price";
            /** @description A percentage, or an amount in the shop's currency. */
            readonly value: string;
            /**
             * @description `flat`: `value` applies. `tiered`: `tiers` decide.
             * @enum {string}
             */
            readonly flatOrTiered: "flat" | "tiered";
            /** @description The amount from which the discount applies, or null. */
            readonly minimum: string | null;
            /**
             * @description `max` or null: of the tiers reached, the one that takes most off. `cumulative`: the tiers reached add up.
             * @enum {string|null}
             */
            readonly operator: "max" | "cumulative" | null;
            /** @description Empty for a flat discount. */
            readonly tiers: readonly components["schemas"]["Tier"][];
        };
        /** @description A product offered in a section. */
        readonly SectionProduct: {
            /** @description Unique within the bundle. */
            readonly bundleItemId: number;
            /** @description Platform product ID. */
            readonly platformProductId: string;
            /** @description The variants that are allowed. Empty: all of them. */
            readonly variantIds: readonly string[];
        };
        /** @description One step of the bundle. */
        readonly Section: {
            /** @description Section ID, unique within the bundle. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description May be empty. */
            readonly description: string;
            /** @description May be empty. */
            readonly imageUrl: string;
            /** @description Position among the sections. */
            readonly order: number;
            /** @description Whether to move on once this step is satisfied. */
            readonly autoNextSection: boolean;
            /** @description The products to choose from. */
            readonly products: readonly components["schemas"]["SectionProduct"][];
        };
        /** @description A product that every selection must contain. */
        readonly RequiredProduct: {
            /** @description Platform product ID. */
            readonly platformProductId: string;
            /** @description The variants that count. Empty: all of them. */
            readonly variantIds: readonly string[];
            /** @description How many units are required. */
            readonly quantity: number;
        };
        /** @description A limit on the selection. */
        readonly LimitRule: {
            /**
             * @description What is measured.
             * @enum {string}
             */
            readonly type: "bundle-price" | "bundle-price-before-discount" | "total-number-of-products" | "number-of-different-products" | "multiples-of" | "amount-of-one-product" | "amount-of-one-variant" | "amount-of-weight";
            /** @description gt, gte, lt, lte or eq. Ignored for `multiples-of`. */
            readonly operation: string;
            /** @description A decimal string; a weight is in `weightUnit`. */
            readonly value: string;
            /** @description The section that is measured. Null: the whole bundle. */
            readonly sectionId: number | null;
        };
        /** @description A subscription option. A request selects it by `groupId`, `frequency` and `unit`. */
        readonly SellingPlan: {
            /** @description The platform's selling plan. Empty when the platform has none. */
            readonly sellingPlanId: string;
            /** @description Name of the group of options. */
            readonly name: string;
            /** @description The cadence in words, in the language of the request or of the shop. */
            readonly cadenceLabel: string;
            /** @description The percentage off each delivery, after the bundle's discount. */
            readonly savingPercent: string;
            /** @description Send it as `subscription.id`. */
            readonly groupId: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of the cadence.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
            /** @description Whether the bundle is sold by subscription only. */
            readonly required: boolean;
        };
        /** @description The fee for an answer. It is a separate cart line and not part of the pricing. */
        readonly PersonalisationFee: {
            /** @description The variant of the fee's cart line. */
            readonly variantId: string;
            /** @description The fee for one unit. */
            readonly amount: string;
            /** @description The currency of `amount`. */
            readonly currencyCode: string;
        };
        /** @description A field that a shopper fills in for a product. */
        readonly PersonalisationField: {
            /** @description Unique within the product. */
            readonly id: string;
            /** @description The key of the answer in `products[].personalisation`. */
            readonly key: string;
            /** @description Display name, in the language of the request. The cart line's property is named by it in the shop's language. */
            readonly label: string;
            /**
             * @description How shoppers answer.
             * @enum {string}
             */
            readonly type: "text" | "dropdown" | "checkbox" | "image";
            /** @description Whether every unit needs an answer. */
            readonly required: boolean;
            /** @description May be empty. */
            readonly placeholder: string;
            /** @description In UTF-16 units, as `maxlength` counts: 500 for a text without a limit of its own, else null. */
            readonly characterLimit: number | null;
            /** @description The choices of a dropdown, the same in every language. An answer is one of them. */
            readonly options: readonly string[];
            /** @description What shoppers read for each choice, in the language of the request. */
            readonly optionLabels: {
                readonly [key: string]: string;
            };
            /** @description May be empty. */
            readonly helpText: string;
            /** @description The fee for an answer. Null: no fee. */
            readonly fee: components["schemas"]["PersonalisationFee"] | null;
        };
        /** @description The full configuration of a bundle. */
        readonly Bundle: {
            /** @description Bundle ID. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description May be empty. */
            readonly description: string;
            /** @description May be empty. */
            readonly imageUrl: string;
            /**
             * @description How it is sold: `native` as its items on lines of their own, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description Normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Always true in the list. A test key also reads unpublished bundles, by id. */
            readonly published: boolean;
            /**
             * @description All sections at once, or one after the other.
             * @enum {string}
             */
            readonly layout: "single-page" | "multiple-sections";
            /** @description Null: no discount. */
            readonly discount: components["schemas"]["Discount"] | null;
            /** @description The steps, in order. */
            readonly sections: readonly components["schemas"]["Section"][];
            /** @description The products that every selection must contain. */
            readonly requiredProducts: readonly components["schemas"]["RequiredProduct"][];
            /** @description The rules that a selection must meet to be configured. */
            readonly limitRules: readonly components["schemas"]["LimitRule"][];
            /**
             * @description The shop's unit of weight.
             * @enum {string}
             */
            readonly weightUnit: "g" | "kg" | "oz" | "lb";
            /** @description Whether the bundle has conditions. */
            readonly conditionsEngineEnabled: boolean;
            /** @description The conditions. Present when the shop has the feature `conditions`. */
            readonly conditionsEngineNodes?: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description Whether the service left out nodes of the conditions that it cannot evaluate. */
            readonly conditionsPartial: boolean;
            /** @description Present when the bundle can be subscribed to. */
            readonly sellingPlans?: readonly components["schemas"]["SellingPlan"][];
            /** @description Fields by platform product ID. Present when the shop has the feature `personalisation` and the bundle has fields. */
            readonly personalisation?: {
                readonly [key: string]: readonly components["schemas"]["PersonalisationField"][];
            };
        };
        /** @description The swatch of an option value: a colour or an image. */
        readonly Swatch: {
            /** @description `#RRGGBB`, or empty. */
            readonly color: string;
            /** @description May be empty. */
            readonly imageUrl: string;
        };
        /** @description An option of a product, such as its size. */
        readonly ProductOption: {
            /** @description Display name. */
            readonly name: string;
            /** @description Counts from 1. */
            readonly position: number;
            /** @description In the platform's order. */
            readonly values: readonly string[];
            /** @description Swatches by value. */
            readonly swatches: {
                readonly [key: string]: components["schemas"]["Swatch"];
            };
        };
        /** @description A variant of a product. The market's fields are present when the request has a `countryCode`. */
        readonly Variant: {
            /** @description Platform variant ID. */
            readonly platformVariantId: string;
            /** @description Global ID. */
            readonly platformVariantGid: string;
            /** @description `Default Title` when the variant has no name of its own. */
            readonly title: string;
            /** @description In the shop's currency. */
            readonly price: string;
            /** @description The price to show crossed out, or null. */
            readonly compareAtPrice: string | null;
            /** @description May be empty. */
            readonly sku: string;
            /** @description Whether it can be bought in the base store. */
            readonly available: boolean;
            /** @description Units in stock. May be negative. */
            readonly inventoryQuantity: number;
            /** @description Weight in grams. */
            readonly grams: number;
            /** @description In the order of the product's options. */
            readonly optionValues: readonly string[];
            /** @description Absent: show the product's image. */
            readonly image?: string;
            /** @description In the market's currency. With three decimals where it needs them, as some dinars do. */
            readonly presentmentPrice?: string;
            /** @description The market's currency. */
            readonly presentmentCurrency?: string;
            /** @description The market's price in the shop's currency; totals are calculated from it. */
            readonly priceInShopCurrency?: string;
            /** @description Whether the market sells the variant. Says nothing about stock. */
            readonly availableForSale?: boolean;
            /** @description Market currency per shop currency: the rate at which `presentment` of a price converts amounts. Present where the market has another currency than the shop, and a set rate. */
            readonly exchangeRate?: string;
        };
        /** @description A platform product with all its variants. */
        readonly Product: {
            /** @description Platform product ID. */
            readonly platformProductId: string;
            /** @description Global ID. */
            readonly platformProductGid: string;
            /** @description Display name. */
            readonly title: string;
            /** @description The product's name in addresses. */
            readonly handle: string;
            /** @description May be empty. One that begins with `/` is on this service. */
            readonly imageUrl: string;
            /**
             * @description Only active products can be configured.
             * @enum {string}
             */
            readonly status: "ACTIVE" | "ARCHIVED" | "DRAFT";
            /** @description Without the service's own control tags. */
            readonly tags: readonly string[];
            /** @description HTML as the merchant wrote it: sanitise it before rendering. */
            readonly descriptionHtml: string;
            /** @description In the platform's order; each variant's `optionValues` follow it. */
            readonly options: readonly components["schemas"]["ProductOption"][];
            /** @description All variants. `variantIds` of a section restrict the choice, not this list. */
            readonly variants: readonly components["schemas"]["Variant"][];
        };
        /** @description The products of a bundle. */
        readonly Products: {
            /** @description The products of sections and required products, in order of first use. */
            readonly products: readonly components["schemas"]["Product"][];
        };
        /** @description A subscription option and the subscriber. */
        readonly Subscription: {
            /** @description `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of the cadence.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
            /**
             * Format: email
             * @description The subscriber's e-mail address.
             */
            readonly email: string;
        };
        /** @description The result of the client's own evaluation of the conditions. */
        readonly BundleContent: {
            /** @description `{type, value}` of the discount that the client calculated. Refused unless the service agrees. */
            readonly conditionsDiscount?: Record<string, never> | null;
        };
        /** @description A selection to configure. */
        readonly ConfigureRequest: {
            /** @description The selection, one entry per unit: 1 to 200. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section that the item was chosen in. 0: no section (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a tick box is true or false. The answers of all items have up to 20000 bytes (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description ISO 3166-1 alpha-2, in any case: use the prices of this country's market. */
            readonly countryCode?: string | null;
            /** @description An option to subscribe to. It is stored as pending. */
            readonly subscription?: components["schemas"]["Subscription"] | null;
            /** @description The result of the client's own evaluation of the conditions, to be checked. */
            readonly bundleContent?: components["schemas"]["BundleContent"] | null;
            /**
             * @description The bundle's type.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description The price that the shopper was shown, in the shop's currency: `discountedPrice` of a price response. If the price is another one, nothing is configured (`price_changed`). */
            readonly expectedPrice?: string | null;
            /** @description The price that the shopper was shown, in the currency of the country's market: `discountedPrice` of `presentment`, or the shop's price where a response has no `presentment`. */
            readonly expectedPresentment?: string | null;
            /**
             * Format: uuid
             * @description The visitor of an A/B test.
             */
            readonly visitorId?: string | null;
        };
        /** @description The price of a selection in the shop's currency. */
        readonly Pricing: {
            /** @description Before discounts. */
            readonly originalPrice: string;
            /** @description After discounts. */
            readonly discountedPrice: string;
            /**
             * @description `none` when no discount applied.
             * @enum {string}
             */
            readonly discountType: "none" | "percentage" | "fixed" | "price";
            /** @description The discount's value after tiers; `0.00` when no discount applied. */
            readonly discountValue: string;
            /** @description The shop's currency code. */
            readonly currency: string;
        };
        /** @description The price of a selection in the market's currency, with all decimals of that currency: none for JPY, three for KWD. */
        readonly Presentment: {
            /** @description Before discounts: the sum of the variants' presentment prices. */
            readonly originalPrice: string;
            /** @description After the same discounts as in the shop's currency. */
            readonly discountedPrice: string;
            /** @description The market's currency code. */
            readonly currency: string;
        };
        /** @description An item of the platform's add-to-cart call. */
        readonly CartLine: {
            /** @description Variant. */
            readonly id: number;
            /** @description Units of the variant. */
            readonly quantity: number;
            /** @description `_bundle_data`: configured bundle, parent variant and the unique id of this call. */
            readonly properties: {
                readonly [key: string]: string;
            };
        };
        /** @description Attributes to merge into the cart's attributes. */
        readonly CartAttributes: {
            /** @description A JSON object with one entry, by configured bundle. Merge it into the attribute's existing value. */
            readonly _bundles: string;
        };
        /** @description What to add to the cart for a native bundle. */
        readonly CartPayload: {
            /** @description Units of the same variant share a line. */
            readonly line_items: readonly components["schemas"]["CartLine"][];
            /** @description Attributes to merge into those of the cart. */
            readonly attributes: components["schemas"]["CartAttributes"];
        };
        /** @description A configured and stored bundle. */
        readonly ConfigureResult: {
            /** @description ID of the configured bundle. */
            readonly configured_bundle_id: number;
            /** @description The variant to add to the cart when `cart` is null. */
            readonly variant_id: string;
            /** @description The bundle's product. */
            readonly product_id: string;
            /** @description Encrypted discount string for the cart-transform step, valid for 30 days. It leaves out what a subscription saves. */
            readonly discount: string;
            /** @description The pending subscription. Null: none was chosen. */
            readonly subscription_id: number | null;
            /** @description The price of the selection. */
            readonly pricing: components["schemas"]["Pricing"];
            /** @description What the selection costs in the market's currency. Present when `countryCode` has a market with another currency than the shop. */
            readonly presentment?: components["schemas"]["Presentment"];
            /** @description Null unless the bundle is native. */
            readonly cart: components["schemas"]["CartPayload"] | null;
        };
        /** @description A subscription option: one of the bundle's `sellingPlans`. */
        readonly SubscriptionPrice: {
            /** @description `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of the cadence.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
        };
        /** @description A selection to price. */
        readonly PriceRequest: {
            /** @description The selection, one entry per unit: 1 to 200. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section that the item was chosen in. 0: no section (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a tick box is true or false. The answers of all items have up to 20000 bytes (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description ISO 3166-1 alpha-2, in any case: use the prices of this country's market. */
            readonly countryCode?: string | null;
            /** @description An option to price. */
            readonly subscription?: components["schemas"]["SubscriptionPrice"] | null;
            /** @description The result of the client's own evaluation of the conditions, to be checked. */
            readonly bundleContent?: components["schemas"]["BundleContent"] | null;
        };
        /** @description The price of a selection in the shop's currency, and in the market's currency if it differs. */
        readonly PriceResult: {
            /** @description Before discounts. */
            readonly originalPrice: string;
            /** @description After discounts. */
            readonly discountedPrice: string;
            /**
             * @description `none` when no discount applied.
             * @enum {string}
             */
            readonly discountType: "none" | "percentage" | "fixed" | "price";
            /** @description The discount's value after tiers; `0.00` when no discount applied. */
            readonly discountValue: string;
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description What the selection costs in the market's currency. Present when `countryCode` has a market with another currency than the shop. */
            readonly presentment?: components["schemas"]["Presentment"];
        };
        /** @description One unit of a selection. */
        readonly SelectedUnit: {
            /** @description Platform variant ID. */
            readonly variant: string;
            /** @description Platform product ID. */
            readonly product: string;
            /** @description The section it was chosen in. 0: no section. */
            readonly section: number;
            /** @description Answers by the key of their field; a ticked box is `true`. Absent without answers. */
            readonly personalisation?: {
                readonly [key: string]: string;
            };
        };
        /** @description The subscription option that was chosen, without the e-mail address. */
        readonly ChosenSubscription: {
            /** @description `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of the cadence.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
        };
        /** @description A selection in the form that `configure` accepts. For a subscription, the e-mail address must be added. */
        readonly ConfiguredSelection: {
            /** @description One entry per unit. */
            readonly products: readonly components["schemas"]["SelectedUnit"][];
            /** @description ISO 3166-1 alpha-2. Null: none was given. */
            readonly countryCode: string | null;
            /** @description Absent when no subscription was chosen. */
            readonly subscription?: components["schemas"]["ChosenSubscription"];
        };
        /** @description A configured bundle, in a form that can be edited. */
        readonly ConfiguredBundle: {
            /** @description ID of the configured bundle. */
            readonly configuredBundleId: number;
            /** @description Bundle ID. */
            readonly bundleId: number;
            /**
             * @description The bundle's type when it was configured.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description The configured selection. */
            readonly selection: components["schemas"]["ConfiguredSelection"];
            /** @description The price when it was configured. */
            readonly pricing: components["schemas"]["Pricing"];
            /** @description When it was configured: ISO 8601, UTC. */
            readonly configuredAt: string;
            /** @description Whether configure would accept the same selection now. */
            readonly stillValid: boolean;
            /** @description The price that it would have now. Null unless `stillValid`. */
            readonly pricingNow: components["schemas"]["PriceResult"] | null;
            /** @description Why configure would refuse it now, as in a 400. Empty when it would not, and when the bundle is no longer there (404). */
            readonly details: readonly components["schemas"]["Detail"][];
        };
        /** @description The settings of the shop. */
        readonly Settings: {
            /** @description The features that the shop has. */
            readonly activeFeatures: readonly ("conditions" | "subscriptions" | "personalisation" | "ab-testing" | "translations" | "stock-reminders" | "search-engines")[];
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description How to write an amount: contains an `{{amount}}` placeholder and may contain HTML. */
            readonly moneyFormat: string;
            /**
             * @description The shop's unit of weight.
             * @enum {string}
             */
            readonly weightUnit: "g" | "kg" | "oz" | "lb";
        };
        /** @description The name and domain of the shop. */
        readonly Shop: {
            /** @description Display name. */
            readonly name: string;
            /** @description The shop's domain. */
            readonly domain: string;
        };
        /** @description Images that the platform serves in any width. */
        readonly ImageWidths: {
            /** @description The origin of these images. All others have one width. */
            readonly origin: string;
            /** @description The parameter of an address that names the width in pixels. */
            readonly parameter: string;
        };
        /** @description The shop's settings, and the texts of the component. */
        readonly EmbedSettings: {
            /** @description The features that the shop has. */
            readonly activeFeatures: readonly ("conditions" | "subscriptions" | "personalisation" | "ab-testing" | "translations" | "stock-reminders" | "search-engines")[];
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description How to write an amount: contains an `{{amount}}` placeholder and may contain HTML. */
            readonly moneyFormat: string;
            /**
             * @description The shop's unit of weight.
             * @enum {string}
             */
            readonly weightUnit: "g" | "kg" | "oz" | "lb";
            /** @description The language of `texts`. */
            readonly locale: string;
            /** @description The shop. */
            readonly shop: components["schemas"]["Shop"];
            /** @description The values of `forceTemplate`. */
            readonly templates: readonly string[];
            /** @description The component's own texts by key; the keys are the same in every language. */
            readonly texts: {
                readonly [key: string]: string;
            };
            /** @description Whether shoppers can register with POST /notify. */
            readonly stockReminders: boolean;
            /** @description The images that are available in any width. Null when none are. */
            readonly imageWidths: components["schemas"]["ImageWidths"] | null;
        };
        /** @description The A/B test that chose the bundle. */
        readonly Experiment: {
            /** @description The experiment. */
            readonly id: string;
            /** @description The visitor's arm, counted from 0. */
            readonly arm: number;
            /** @description The bundle that was requested. */
            readonly entryBundleId: number;
            /** @description The bundle that is served. */
            readonly bundleId: number;
        };
        /** @description Everything that the component needs to display a bundle. */
        readonly EmbedBundle: {
            /** @description Bundle ID. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description May be empty. */
            readonly description: string;
            /** @description May be empty. */
            readonly imageUrl: string;
            /**
             * @description How it is sold: `native` as its items on lines of their own, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description Normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Always true in the list. A test key also reads unpublished bundles, by id. */
            readonly published: boolean;
            /**
             * @description All sections at once, or one after the other.
             * @enum {string}
             */
            readonly layout: "single-page" | "multiple-sections";
            /** @description Null: no discount. */
            readonly discount: components["schemas"]["Discount"] | null;
            /** @description The steps, in order. */
            readonly sections: readonly components["schemas"]["Section"][];
            /** @description The products that every selection must contain. */
            readonly requiredProducts: readonly components["schemas"]["RequiredProduct"][];
            /** @description The rules that a selection must meet to be configured. */
            readonly limitRules: readonly components["schemas"]["LimitRule"][];
            /**
             * @description The shop's unit of weight.
             * @enum {string}
             */
            readonly weightUnit: "g" | "kg" | "oz" | "lb";
            /** @description Whether the bundle has conditions. */
            readonly conditionsEngineEnabled: boolean;
            /** @description The conditions. Present when the shop has the feature `conditions`. */
            readonly conditionsEngineNodes?: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description Whether the service left out nodes of the conditions that it cannot evaluate. */
            readonly conditionsPartial: boolean;
            /** @description Present when the bundle can be subscribed to. */
            readonly sellingPlans?: readonly components["schemas"]["SellingPlan"][];
            /** @description Fields by platform product ID. Present when the shop has the feature `personalisation` and the bundle has fields. */
            readonly personalisation?: {
                readonly [key: string]: readonly components["schemas"]["PersonalisationField"][];
            };
            /** @description The products of sections and required products, in order of first use. */
            readonly products: readonly components["schemas"]["Product"][];
            /** @description Handle of the bundle's product. Empty when the bundle has none. */
            readonly productHandle: string;
            /** @description Where to post a selection. */
            readonly productUrl: string;
            /** @description This bundle again. */
            readonly bundleUrl: string;
            /** @description The template to draw it with. */
            readonly templateCode: string;
            /** @description The language of the bundle's and products' texts. */
            readonly locale: string;
            /** @description The settings, as in GET /settings. */
            readonly settings: components["schemas"]["EmbedSettings"];
            /** @description Present when an A/B test chose the bundle for this visitor. */
            readonly experiment?: components["schemas"]["Experiment"];
        };
        /** @description An item of a configured bundle. */
        readonly VariantItem: {
            /** @description The variant that was chosen. */
            readonly variantId: number;
            /** @description The section it was chosen in. */
            readonly sectionId: number;
            /** @description The variants that the section allows for its product. */
            readonly availableVariantIds: readonly number[];
        };
        /** @description The distinct items behind a ghost variant. */
        readonly VariantItems: {
            /** @description In the order of the selection. */
            readonly items: readonly components["schemas"]["VariantItem"][];
        };
        /**
         * @description A reference to a configured bundle: its id, or the id of a ghost variant, which refers to the newest configured bundle sold
         *         as this variant. `configuredBundleId` takes precedence when both are given.
         */
        readonly BundleRef: {
            /** @description `configured_bundle_id` of a configure response. */
            readonly configuredBundleId?: number | null;
            /** @description A ghost variant. */
            readonly variantId?: number | null;
        } | {
            readonly configuredBundleId: number;
        } | {
            readonly variantId: number;
        };
        /** @description The configured bundles to describe in plain text. */
        readonly ContentRequest: {
            /** @description At most 100 entries. */
            readonly bundles: readonly components["schemas"]["BundleRef"][];
        };
        /** @description A configured bundle as plain text. */
        readonly Content: {
            /** @description The configured bundle. */
            readonly configuredBundleId: number;
            /** @description `variant_id` of the configure response. */
            readonly variantId: string;
            /** @description One line per variant. */
            readonly content: string;
        };
        /** @description Configured bundles as plain text. */
        readonly Contents: {
            /** @description In the order of the request. Unknown bundles are left out. */
            readonly bundles: readonly components["schemas"]["Content"][];
        };
        /** @description A shopper's request to get an e-mail when a variant is back in stock. */
        readonly NotifyRequest: {
            /** @description Numeric or global ID. */
            readonly variant: string;
            /**
             * Format: email
             * @description The shopper's e-mail address.
             */
            readonly customer_email: string;
            /** @description The bundle that the shopper was viewing. */
            readonly bundle_name: string;
        };
        /** @description The outcome of POST /notify. */
        readonly Notified: {
            /**
             * @description What happened.
             * @enum {string}
             */
            readonly message_code: "success" | "already_registered" | "in_stock";
        };
        /** @description A selection to complete. It may be empty. */
        readonly CompleteRequest: {
            /** @description The selection, one entry per unit: up to 200. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section that the item was chosen in. 0: no section (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a tick box is true or false. The answers of all items have up to 20000 bytes (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description ISO 3166-1 alpha-2, in any case: use the prices and the availability of this country's market. */
            readonly countryCode?: string | null;
            /** @description An option to subscribe to. Prices include its discount. */
            readonly subscription?: components["schemas"]["SubscriptionPrice"] | null;
            /**
             * @description `nearest`, the default: the fewest changes. `cheapest`: the lowest price.
             * @enum {string|null}
             */
            readonly aim?: "nearest" | "cheapest" | null;
            /** @description Products of which rather more are added. Numeric or global IDs; those that the bundle does not offer are ignored. */
            readonly prefer?: readonly string[] | null;
            /** @description Products that are not added. Numeric or global IDs; those that the bundle does not offer are ignored. */
            readonly avoid?: readonly string[] | null;
            /** @description The highest price of a solution, in the shop's currency. */
            readonly budget?: string | null;
        };
        /** @description Equal units that were added or removed. */
        readonly ChangedUnits: {
            /** @description Platform variant ID. */
            readonly variant: string;
            /** @description Platform product ID. */
            readonly product: string;
            /** @description The section it was chosen in. 0: no section. */
            readonly section: number;
            /** @description Answers by the key of their field; a ticked box is `true`. Absent without answers. */
            readonly personalisation?: {
                readonly [key: string]: string;
            };
            /** @description How many. */
            readonly quantity: number;
        };
        /** @description A reason in a completion: a rule of the bundle, or a fact such as stock, a market or a wish of the shopper. */
        readonly Reason: {
            /** @description A stable code: that of a detail, or `avoided`, `over_budget`, `conditions`. */
            readonly code: string;
            /** @description A sentence for a person, in English. */
            readonly message: string;
            /** @description The path of the rule in the bundle. Empty for a fact: stock, a market, a wish. */
            readonly rule: string;
        };
        /** @description A selection that `configure` accepts. */
        readonly Solution: {
            /** @description The whole selection, one entry per unit, as configure takes it. */
            readonly products: readonly components["schemas"]["SelectedUnit"][];
            /** @description The price of the selection, as in a configure response. */
            readonly pricing: components["schemas"]["PriceResult"];
            /** @description The units that the selection did not have, in the shop's order. */
            readonly added: readonly components["schemas"]["ChangedUnits"][];
            /** @description The units that it no longer has. */
            readonly removed: readonly components["schemas"]["ChangedUnits"][];
            /** @description The rules that the selection did not meet. Empty: it can be configured as it is. */
            readonly reasons: readonly components["schemas"]["Reason"][];
        };
        /** @description The bounds on any solution that has not been found yet. */
        readonly Bound: {
            /** @description No solution needs fewer changes. 0 with the aim `cheapest`. */
            readonly changes: number;
            /** @description No solution costs less, in the shop's currency. */
            readonly price: string;
        };
        /** @description The solutions of a completion. */
        readonly Completion: {
            /** @description Up to three, the best first. */
            readonly solutions: readonly components["schemas"]["Solution"][];
            /** @description Whether no other solution is better. */
            readonly proven: boolean;
            /** @description Null when `proven`. */
            readonly bound: components["schemas"]["Bound"] | null;
            /** @description The rules and facts that cannot be met together, when there is provably no solution; else null. */
            readonly impossible: readonly components["schemas"]["Reason"][] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ConditionsDiscount = components['schemas']['ConditionsDiscount'];
export type Detail = components['schemas']['Detail'];
export type Error = components['schemas']['Error'];
export type BundleSummary = components['schemas']['BundleSummary'];
export type Tier = components['schemas']['Tier'];
export type Discount = components['schemas']['Discount'];
export type SectionProduct = components['schemas']['SectionProduct'];
export type Section = components['schemas']['Section'];
export type RequiredProduct = components['schemas']['RequiredProduct'];
export type LimitRule = components['schemas']['LimitRule'];
export type SellingPlan = components['schemas']['SellingPlan'];
export type PersonalisationFee = components['schemas']['PersonalisationFee'];
export type PersonalisationField = components['schemas']['PersonalisationField'];
export type Bundle = components['schemas']['Bundle'];
export type Swatch = components['schemas']['Swatch'];
export type ProductOption = components['schemas']['ProductOption'];
export type Variant = components['schemas']['Variant'];
export type Product = components['schemas']['Product'];
export type Products = components['schemas']['Products'];
export type Subscription = components['schemas']['Subscription'];
export type BundleContent = components['schemas']['BundleContent'];
export type ConfigureRequest = components['schemas']['ConfigureRequest'];
export type Pricing = components['schemas']['Pricing'];
export type Presentment = components['schemas']['Presentment'];
export type CartLine = components['schemas']['CartLine'];
export type CartAttributes = components['schemas']['CartAttributes'];
export type CartPayload = components['schemas']['CartPayload'];
export type ConfigureResult = components['schemas']['ConfigureResult'];
export type SubscriptionPrice = components['schemas']['SubscriptionPrice'];
export type PriceRequest = components['schemas']['PriceRequest'];
export type PriceResult = components['schemas']['PriceResult'];
export type SelectedUnit = components['schemas']['SelectedUnit'];
export type ChosenSubscription = components['schemas']['ChosenSubscription'];
export type ConfiguredSelection = components['schemas']['ConfiguredSelection'];
export type ConfiguredBundle = components['schemas']['ConfiguredBundle'];
export type Settings = components['schemas']['Settings'];
export type Shop = components['schemas']['Shop'];
export type ImageWidths = components['schemas']['ImageWidths'];
export type EmbedSettings = components['schemas']['EmbedSettings'];
export type Experiment = components['schemas']['Experiment'];
export type EmbedBundle = components['schemas']['EmbedBundle'];
export type VariantItem = components['schemas']['VariantItem'];
export type VariantItems = components['schemas']['VariantItems'];
export type BundleRef = components['schemas']['BundleRef'];
export type ContentRequest = components['schemas']['ContentRequest'];
export type Content = components['schemas']['Content'];
export type Contents = components['schemas']['Contents'];
export type NotifyRequest = components['schemas']['NotifyRequest'];
export type Notified = components['schemas']['Notified'];
export type CompleteRequest = components['schemas']['CompleteRequest'];
export type ChangedUnits = components['schemas']['ChangedUnits'];
export type Reason = components['schemas']['Reason'];
export type Solution = components['schemas']['Solution'];
export type Bound = components['schemas']['Bound'];
export type Completion = components['schemas']['Completion'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
