// Generated from the OpenAPI document by openapi-typescript: change the schemas in Python, then run scripts/wire-types.

export interface components {
    schemas: {
        /** @description The discount that results from the bundle's conditions. */
        readonly ConditionsDiscount: {
            /**
             * @description The type of the discount, as in the bundle's own discount.
             * @enum {string}
             */
            readonly type: "percentage" | "fixed" | "price";
            /** @description A percentage, an amount or a price, depending on `type`. */
            readonly value: string;
        };
        /** @description A fault in the input, or a rule that is not met. `code` determines which optional fields are present. */
        readonly Detail: {
            /** @description The path of the field at fault. */
            readonly path: string;
            /**
             * @description A stable code.
             * @enum {string}
             */
            readonly code: "answers_too_long" | "blocked" | "different_price" | "invalid" | "invalid_character" | "invalid_email" | "item_count" | "limit_not_met" | "mismatch" | "not_active" | "not_in_section" | "not_offered" | "not_sold_in_country" | "product_hidden" | "required" | "required_missing" | "section_hidden" | "sold_out" | "too_long" | "type_mismatch" | "unknown_field" | "unknown_group" | "unknown_option" | "unknown_product" | "unknown_section" | "unknown_template" | "unknown_variant" | "variant_not_allowed";
            /** @description A human-readable message, in English. */
            readonly message: string;
            /**
             * @description The rule's type.
             * @enum {string}
             */
            readonly rule?: "bundle-price" | "bundle-price-before-discount" | "total-number-of-products" | "number-of-different-products" | "multiples-of" | "amount-of-one-product" | "amount-of-one-variant" | "amount-of-weight";
            /**
             * @description The unit of `limit`, `actual` and `missing`: items, money in the shop's currency, or weight.
             * @enum {string}
             */
            readonly unit?: "items" | "money" | "weight";
            /** @description The rule's operation. */
            readonly operation?: string;
            /** @description The section that is measured. Null for the whole bundle. */
            readonly sectionId?: number | null;
            /** @description The value that the rule requires, in its unit. */
            readonly limit?: string;
            /** @description The value that the selection has, or the price of the selection. */
            readonly actual?: string;
            /** @description The expected price, as sent in the request. */
            readonly expected?: string;
            /** @description How much must be added; 0 if there is too much. */
            readonly missing?: string;
            /** @description The alternative limits, one of which must be met; `limit` is the nearest. */
            readonly alternatives?: readonly string[];
            /** @description The product concerned. */
            readonly platformProductId?: string;
            /** @description The variant concerned. */
            readonly platformVariantId?: string;
            /** @description The discount that the service calculated. Null if there is none. */
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
            /** @description A human-readable message. */
            readonly error: string;
            /**
             * @description A stable code.
             * @enum {string}
             */
            readonly code: "invalid_json" | "invalid_request" | "selection_invalid" | "rules_not_met" | "subscription_invalid" | "personalisation_invalid" | "conditions_discount_mismatch" | "price_changed" | "idempotency_key_invalid" | "idempotency_key_reused" | "content_encoding_unsupported" | "body_too_slow" | "key_invalid" | "key_scope" | "origin_not_allowed" | "shop_not_enabled" | "signature_invalid" | "not_found" | "body_too_large" | "rate_limited" | "platform_error" | "overloaded" | "shutting_down" | "platform_not_connected" | "platform_unavailable" | "ghost_variants_full" | "storage_unavailable" | "platform_timeout" | "http_version_unsupported" | "method_not_allowed" | "internal_error";
            /** @description The id of the request, also in the header X-Request-Id. Quote it when you report a problem. */
            readonly requestId: string;
            /** @description Present in a 404 only. */
            readonly detail?: string;
            /** @description All faults, up to 100. Present in a 400 only. */
            readonly details?: readonly components["schemas"]["Detail"][];
            /**
             * @description The costly result of which this visitor created too many. Present in a 429 only.
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
            /** @description A description for shoppers. May be empty. */
            readonly description: string;
            /** @description The URL of an image. May be empty. */
            readonly imageUrl: string;
            /**
             * @description How the bundle is sold: `native` as separate cart lines, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description A label for storefronts, normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Whether the bundle is for sale. Always true in the list; test keys can also read unpublished bundles, by id. */
            readonly published: boolean;
            /** @description The handle of the bundle's own product. Empty if the bundle has none. */
            readonly handle?: string;
            /** @description The price of the cheapest selection that can be configured, in the shop's currency. Null if it is not known exactly. */
            readonly fromPrice?: string | null;
            /** @description A short summary of the bundle's own discount. Null if there is none. */
            readonly discountSummary?: string | null;
        };
        /** @description One step of a tiered discount. */
        readonly Tier: {
            /**
             * @description What is measured: all units, the units of one product, or the price.
             * @enum {string}
             */
            readonly type: "total_products" | "bulk_buy" | "total_price";
            /** @description The threshold, as a decimal string. */
            readonly value: string;
            /**
             * @description How the measured quantity is compared with `value`.
             * @enum {string}
             */
            readonly operation: "gt" | "gte" | "lt" | "lte" | "eq";
            /** @description A percentage, an amount or a price, depending on the discount's `type`. */
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
             * @description `flat`: `value` applies. `tiered`: the `tiers` apply.
             * @enum {string}
             */
            readonly flatOrTiered: "flat" | "tiered";
            /** @description The lowest amount to which the discount applies, or null. */
            readonly minimum: string | null;
            /**
             * @description `max` or null: of the tiers reached, the one that reduces the price most applies. `cumulative`: they are added up.
             * @enum {string|null}
             */
            readonly operator: "max" | "cumulative" | null;
            /** @description The tiers. Empty for a flat discount. */
            readonly tiers: readonly components["schemas"]["Tier"][];
        };
        /** @description A product offered in a section. */
        readonly SectionProduct: {
            /** @description The id of this entry, unique within the bundle. */
            readonly bundleItemId: number;
            /** @description Platform product ID. */
            readonly platformProductId: string;
            /** @description The variants that may be chosen. If empty, all variants of the product. */
            readonly variantIds: readonly string[];
        };
        /** @description One step of the bundle. */
        readonly Section: {
            /** @description Section ID, unique within the bundle. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description A description for shoppers. May be empty. */
            readonly description: string;
            /** @description The URL of an image. May be empty. */
            readonly imageUrl: string;
            /** @description Position among the sections. */
            readonly order: number;
            /** @description Whether to move on to the next section when this one is complete. */
            readonly autoNextSection: boolean;
            /** @description The products to choose from. */
            readonly products: readonly components["schemas"]["SectionProduct"][];
        };
        /** @description A product that every selection must contain. */
        readonly RequiredProduct: {
            /** @description Platform product ID. */
            readonly platformProductId: string;
            /** @description The variants that count towards `quantity`. If empty, all variants of the product. */
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
            /** @description How the measured quantity is compared with `value`. Ignored for `multiples-of`. */
            readonly operation: string;
            /** @description The limit, as a decimal string. Weights are in `weightUnit`. */
            readonly value: string;
            /** @description The section that is measured. Null for the whole bundle. */
            readonly sectionId: number | null;
        };
        /** @description A subscription option. A request selects it by `groupId`, `frequency` and `unit`. */
        readonly SellingPlan: {
            /** @description The id of the platform's selling plan. Empty if the platform has none. */
            readonly sellingPlanId: string;
            /** @description The name of the group that contains the option. */
            readonly name: string;
            /** @description The cadence in words, in the language of the request or of the shop. */
            readonly cadenceLabel: string;
            /** @description The percentage off each delivery, after the bundle's discount. */
            readonly savingPercent: string;
            /** @description The id to send as `subscription.id`. */
            readonly groupId: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of `frequency`.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
            /** @description Whether the bundle is sold by subscription only. */
            readonly required: boolean;
        };
        /** @description The fee for an answer. It is a separate cart line and not part of the pricing. */
        readonly PersonalisationFee: {
            /** @description The variant that is added to the cart for the fee. */
            readonly variantId: string;
            /** @description The fee for one unit. */
            readonly amount: string;
            /** @description The currency of `amount`. */
            readonly currencyCode: string;
        };
        /** @description A field that a shopper fills in for a product. */
        readonly PersonalisationField: {
            /** @description The field's id, unique within the product. */
            readonly id: string;
            /** @description The key of the answer in `products[].personalisation`. */
            readonly key: string;
            /** @description The label in the language of the request. The name of the cart line's property is the label in the shop's language. */
            readonly label: string;
            /**
             * @description How shoppers answer.
             * @enum {string}
             */
            readonly type: "text" | "dropdown" | "checkbox" | "image";
            /** @description Whether every unit needs an answer. */
            readonly required: boolean;
            /** @description A hint to show in the empty field. May be empty. */
            readonly placeholder: string;
            /** @description The maximum length of an answer in UTF-16 code units, as in `maxlength`. The default is 500 for text, null otherwise. */
            readonly characterLimit: number | null;
            /** @description The choices of a dropdown, the same in every language. The answer is one of them. */
            readonly options: readonly string[];
            /** @description The label of each choice, in the language of the request. */
            readonly optionLabels: {
                readonly [key: string]: string;
            };
            /** @description An explanation to show below the field. May be empty. */
            readonly helpText: string;
            /** @description The fee for an answer. Null if there is none. */
            readonly fee: components["schemas"]["PersonalisationFee"] | null;
        };
        /** @description The full configuration of a bundle. */
        readonly Bundle: {
            /** @description Bundle ID. */
            readonly id: number;
            /** @description Display name. */
            readonly name: string;
            /** @description A description for shoppers. May be empty. */
            readonly description: string;
            /** @description The URL of an image. May be empty. */
            readonly imageUrl: string;
            /**
             * @description How the bundle is sold: `native` as separate cart lines, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description A label for storefronts, normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Whether the bundle is for sale. Always true in the list; test keys can also read unpublished bundles, by id. */
            readonly published: boolean;
            /**
             * @description Whether sections are shown all at once or one after the other.
             * @enum {string}
             */
            readonly layout: "single-page" | "multiple-sections";
            /** @description The bundle's own discount. Null if there is none. */
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
            /** @description The nodes of the conditions. Present when the shop has the `conditions` feature. */
            readonly conditionsEngineNodes?: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description Whether the service left out condition nodes that it cannot evaluate. */
            readonly conditionsPartial: boolean;
            /** @description The subscription options. Present when the bundle offers subscriptions. */
            readonly sellingPlans?: readonly components["schemas"]["SellingPlan"][];
            /** @description Fields by platform product ID. Present when the shop has the `personalisation` feature and the bundle has fields. */
            readonly personalisation?: {
                readonly [key: string]: readonly components["schemas"]["PersonalisationField"][];
            };
        };
        /** @description The swatch of an option value: a colour or an image. */
        readonly Swatch: {
            /** @description `#RRGGBB`, or empty. */
            readonly color: string;
            /** @description The URL of an image. May be empty. */
            readonly imageUrl: string;
        };
        /** @description An option of a product, such as its size. */
        readonly ProductOption: {
            /** @description Display name. */
            readonly name: string;
            /** @description The option's position, counted from 1. */
            readonly position: number;
            /** @description The option's values, in the platform's order. */
            readonly values: readonly string[];
            /** @description Swatches by option value. */
            readonly swatches: {
                readonly [key: string]: components["schemas"]["Swatch"];
            };
        };
        /** @description A variant of a product. The market-specific fields are present when the request has a `countryCode`. */
        readonly Variant: {
            /** @description Platform variant ID. */
            readonly platformVariantId: string;
            /** @description Global ID. */
            readonly platformVariantGid: string;
            /** @description Display name; `Default Title` if the variant has none of its own. */
            readonly title: string;
            /** @description The price in the shop's currency. */
            readonly price: string;
            /** @description A former price to show crossed out, or null. */
            readonly compareAtPrice: string | null;
            /** @description The stock-keeping unit. May be empty. */
            readonly sku: string;
            /** @description Whether the variant is in stock, or can be sold without stock. */
            readonly available: boolean;
            /** @description Units in stock. May be negative. */
            readonly inventoryQuantity: number;
            /** @description Weight in grams. */
            readonly grams: number;
            /** @description One value for each option of the product, in the same order. */
            readonly optionValues: readonly string[];
            /** @description The URL of the variant's own image. If absent, show the product's image. */
            readonly image?: string;
            /** @description The price in the market's currency. It has a third decimal only where the amount needs one. */
            readonly presentmentPrice?: string;
            /** @description The market's currency. */
            readonly presentmentCurrency?: string;
            /** @description The market's price in the shop's currency; totals are calculated from it. */
            readonly priceInShopCurrency?: string;
            /** @description Whether the variant is sold in the market, whatever its stock. */
            readonly availableForSale?: boolean;
            /** @description Units of the market's currency per unit of the shop's: the rate used for the `presentment` of a price. Present when the currencies differ and the market has a set rate. */
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
            /** @description The product's name in URLs. */
            readonly handle: string;
            /** @description The URL of an image. May be empty. A path that begins with `/` is served by this service. */
            readonly imageUrl: string;
            /**
             * @description Only active products can be configured.
             * @enum {string}
             */
            readonly status: "ACTIVE" | "ARCHIVED" | "DRAFT";
            /** @description The product's tags, without the service's own control tags. */
            readonly tags: readonly string[];
            /** @description HTML as the merchant wrote it: sanitise it before rendering. */
            readonly descriptionHtml: string;
            /** @description The product's options, in the platform's order. */
            readonly options: readonly components["schemas"]["ProductOption"][];
            /** @description All variants. A section's `variantIds` restrict the choice, but not this list. */
            readonly variants: readonly components["schemas"]["Variant"][];
        };
        /** @description The products of a bundle. */
        readonly Products: {
            /** @description The products of sections and required products, in order of first use. */
            readonly products: readonly components["schemas"]["Product"][];
        };
        /** @description A subscription option and the subscriber. */
        readonly Subscription: {
            /** @description The `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of `frequency`.
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
            /** @description The `{type, value}` of the discount that the client calculated. The request is refused if the service calculates another discount. */
            readonly conditionsDiscount?: Record<string, never> | null;
        };
        /** @description A selection to configure. */
        readonly ConfigureRequest: {
            /** @description The selection: 1 to 200 entries, one per unit. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section in which the item was chosen; 0 if in none (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a checkbox is true or false. The answers of all items together may be up to 20000 bytes long (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description The country whose market prices apply: ISO 3166-1 alpha-2, in upper or lower case. */
            readonly countryCode?: string | null;
            /** @description The option to subscribe to. The subscription is stored as pending. */
            readonly subscription?: components["schemas"]["Subscription"] | null;
            /** @description The result of the client's own evaluation of the conditions, to be checked. */
            readonly bundleContent?: components["schemas"]["BundleContent"] | null;
            /**
             * @description The bundle's type.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description The price that the shopper was shown, in the shop's currency: the `discountedPrice` of a price response. If the price now differs, nothing is configured (`price_changed`). */
            readonly expectedPrice?: string | null;
            /** @description The price that the shopper was shown, in the currency of the country's market: the `discountedPrice` of `presentment`, or the price in the shop's currency if the response has no `presentment`. */
            readonly expectedPresentment?: string | null;
            /**
             * Format: uuid
             * @description The visitor's id, for A/B tests.
             */
            readonly visitorId?: string | null;
        };
        /** @description The price of a selection in the shop's currency. */
        readonly Pricing: {
            /** @description The price before discounts. */
            readonly originalPrice: string;
            /** @description The price after discounts. */
            readonly discountedPrice: string;
            /**
             * @description The type of the discount that applied, or `none`.
             * @enum {string}
             */
            readonly discountType: "none" | "percentage" | "fixed" | "price";
            /** @description The value of the discount, with tiers applied; `0.00` if no discount applied. */
            readonly discountValue: string;
            /** @description The shop's currency code. */
            readonly currency: string;
        };
        /**
         * @description The price of a selection in the market's currency, with all decimal places of that currency: none for JPY, three for
         *         KWD.
         */
        readonly Presentment: {
            /** @description The price before discounts: the sum of the variants' presentment prices. */
            readonly originalPrice: string;
            /** @description The price after the same discounts as in the shop's currency. */
            readonly discountedPrice: string;
            /** @description The market's currency code. */
            readonly currency: string;
        };
        /** @description An item of the platform's add-to-cart call. */
        readonly CartLine: {
            /** @description The id of the variant. */
            readonly id: number;
            /** @description The number of units. */
            readonly quantity: number;
            /** @description `_bundle_data`: the ids of the configured bundle and of the parent variant, and the unique id of this call. */
            readonly properties: {
                readonly [key: string]: string;
            };
        };
        /** @description Attributes to merge into the cart's attributes. */
        readonly CartAttributes: {
            /** @description A JSON object with one entry, keyed by configured bundle. Merge it into the attribute's existing value. */
            readonly _bundles: string;
        };
        /** @description What to add to the cart for a native bundle. */
        readonly CartPayload: {
            /** @description The lines to add. Identical units share a line. */
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
            /** @description Encrypted discount string for the cart-transform step, valid for 30 days. It excludes the subscription's discount. */
            readonly discount: string;
            /** @description The id of the pending subscription. Null if none was chosen. */
            readonly subscription_id: number | null;
            /** @description The price of the selection. */
            readonly pricing: components["schemas"]["Pricing"];
            /** @description The price of the selection in the market's currency. Present when the market of `countryCode` has a currency other than the shop's. */
            readonly presentment?: components["schemas"]["Presentment"];
            /** @description What to add to the cart. Null unless the bundle is native. */
            readonly cart: components["schemas"]["CartPayload"] | null;
        };
        /** @description A subscription option: one of the bundle's `sellingPlans`. */
        readonly SubscriptionPrice: {
            /** @description The `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of `frequency`.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
        };
        /** @description A selection to price. */
        readonly PriceRequest: {
            /** @description The selection: 1 to 200 entries, one per unit. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section in which the item was chosen; 0 if in none (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a checkbox is true or false. The answers of all items together may be up to 20000 bytes long (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description The country whose market prices apply: ISO 3166-1 alpha-2, in upper or lower case. */
            readonly countryCode?: string | null;
            /** @description The subscription option to include in the price. */
            readonly subscription?: components["schemas"]["SubscriptionPrice"] | null;
            /** @description The result of the client's own evaluation of the conditions, to be checked. */
            readonly bundleContent?: components["schemas"]["BundleContent"] | null;
        };
        /** @description The price of a selection in the shop's currency, and in the market's currency if it differs. */
        readonly PriceResult: {
            /** @description The price before discounts. */
            readonly originalPrice: string;
            /** @description The price after discounts. */
            readonly discountedPrice: string;
            /**
             * @description The type of the discount that applied, or `none`.
             * @enum {string}
             */
            readonly discountType: "none" | "percentage" | "fixed" | "price";
            /** @description The value of the discount, with tiers applied; `0.00` if no discount applied. */
            readonly discountValue: string;
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description The price of the selection in the market's currency. Present when the market of `countryCode` has a currency other than the shop's. */
            readonly presentment?: components["schemas"]["Presentment"];
        };
        /** @description One unit of a selection. */
        readonly SelectedUnit: {
            /** @description Platform variant ID. */
            readonly variant: string;
            /** @description Platform product ID. */
            readonly product: string;
            /** @description The section in which the unit was chosen; 0 if it belongs to no section. */
            readonly section: number;
            /** @description Answers by field key; a ticked checkbox is `true`. Absent if there are no answers. */
            readonly personalisation?: {
                readonly [key: string]: string;
            };
        };
        /** @description The subscription option that was chosen, without the e-mail address. */
        readonly ChosenSubscription: {
            /** @description The `groupId` of the selling plan. */
            readonly id: number;
            /** @description The number of units between deliveries. */
            readonly frequency: number;
            /**
             * @description The unit of `frequency`.
             * @enum {string}
             */
            readonly unit: "day" | "week" | "month" | "year";
        };
        /** @description A selection in the form that `configure` accepts. For a subscription, the e-mail address must be added. */
        readonly ConfiguredSelection: {
            /** @description One entry per unit. */
            readonly products: readonly components["schemas"]["SelectedUnit"][];
            /** @description The country (ISO 3166-1 alpha-2). Null if none was given. */
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
            /** @description The price when the bundle was configured. */
            readonly pricing: components["schemas"]["Pricing"];
            /** @description When the bundle was configured (ISO 8601, UTC). */
            readonly configuredAt: string;
            /** @description Whether `configure` would accept the same selection now. */
            readonly stillValid: boolean;
            /** @description The price of the selection now. Null unless `stillValid` is true. */
            readonly pricingNow: components["schemas"]["PriceResult"] | null;
            /** @description Why `configure` would refuse the selection now, as in a 400. Empty if it would not, or if the bundle is gone (404). */
            readonly details: readonly components["schemas"]["Detail"][];
        };
        /** @description The settings of the shop. */
        readonly Settings: {
            /** @description The features that are active in the shop. */
            readonly activeFeatures: readonly ("conditions" | "subscriptions" | "personalisation" | "ab-testing" | "translations" | "stock-reminders" | "search-engines")[];
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description The format of amounts: contains an `{{amount}}` placeholder and may contain HTML. */
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
            /** @description The origin of these images. Images from other origins have a single width. */
            readonly origin: string;
            /** @description The query parameter that sets the width in pixels. */
            readonly parameter: string;
        };
        /** @description The shop's settings, and the texts of the component. */
        readonly EmbedSettings: {
            /** @description The features that are active in the shop. */
            readonly activeFeatures: readonly ("conditions" | "subscriptions" | "personalisation" | "ab-testing" | "translations" | "stock-reminders" | "search-engines")[];
            /** @description The shop's currency code. */
            readonly currency: string;
            /** @description The format of amounts: contains an `{{amount}}` placeholder and may contain HTML. */
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
            /** @description The possible values of `forceTemplate`. */
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
            /** @description The experiment's id. */
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
            /** @description A description for shoppers. May be empty. */
            readonly description: string;
            /** @description The URL of an image. May be empty. */
            readonly imageUrl: string;
            /**
             * @description How the bundle is sold: `native` as separate cart lines, the other types as one variant of the bundle's product.
             * @enum {string}
             */
            readonly type: "native" | "multiple-products" | "single-product";
            /** @description A label for storefronts, normally `bundles`. Accept unknown values: old bundles may have others. */
            readonly bundlingOption: string;
            /** @description Whether the bundle is for sale. Always true in the list; test keys can also read unpublished bundles, by id. */
            readonly published: boolean;
            /**
             * @description Whether sections are shown all at once or one after the other.
             * @enum {string}
             */
            readonly layout: "single-page" | "multiple-sections";
            /** @description The bundle's own discount. Null if there is none. */
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
            /** @description The nodes of the conditions. Present when the shop has the `conditions` feature. */
            readonly conditionsEngineNodes?: readonly {
                readonly [key: string]: unknown;
            }[];
            /** @description Whether the service left out condition nodes that it cannot evaluate. */
            readonly conditionsPartial: boolean;
            /** @description The subscription options. Present when the bundle offers subscriptions. */
            readonly sellingPlans?: readonly components["schemas"]["SellingPlan"][];
            /** @description Fields by platform product ID. Present when the shop has the `personalisation` feature and the bundle has fields. */
            readonly personalisation?: {
                readonly [key: string]: readonly components["schemas"]["PersonalisationField"][];
            };
            /** @description The products of sections and required products, in order of first use. */
            readonly products: readonly components["schemas"]["Product"][];
            /** @description Handle of the bundle's product. Empty when the bundle has none. */
            readonly productHandle: string;
            /** @description The path for posting a selection. */
            readonly productUrl: string;
            /** @description The path of this bundle. */
            readonly bundleUrl: string;
            /** @description The template for rendering the bundle. */
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
            /** @description The section in which the variant was chosen. */
            readonly sectionId: number;
            /** @description The variants of the same product that the section allows. */
            readonly availableVariantIds: readonly number[];
        };
        /** @description The distinct items of the selection for which a ghost variant was created. */
        readonly VariantItems: {
            /** @description The items, in the order of the selection. */
            readonly items: readonly components["schemas"]["VariantItem"][];
        };
        /**
         * @description A reference to a configured bundle: its id, or the id of a ghost variant, which refers to the newest configured bundle sold
         *         as this variant. `configuredBundleId` takes precedence when both are given.
         */
        readonly BundleRef: {
            /** @description The `configured_bundle_id` of a configure response. */
            readonly configuredBundleId?: number | null;
            /** @description The id of a ghost variant. */
            readonly variantId?: number | null;
        } | {
            readonly configuredBundleId: number;
        } | {
            readonly variantId: number;
        };
        /** @description The configured bundles to describe in plain text. */
        readonly ContentRequest: {
            /** @description The configured bundles, at most 100. */
            readonly bundles: readonly components["schemas"]["BundleRef"][];
        };
        /** @description A configured bundle as plain text. */
        readonly Content: {
            /** @description The configured bundle. */
            readonly configuredBundleId: number;
            /** @description The `variant_id` of the configure response. */
            readonly variantId: string;
            /** @description The contents as text, one line per variant. */
            readonly content: string;
        };
        /** @description Configured bundles as plain text. */
        readonly Contents: {
            /** @description The bundles, in the order of the request. Unknown bundles are left out. */
            readonly bundles: readonly components["schemas"]["Content"][];
        };
        /** @description A shopper's request to get an e-mail when a variant is back in stock. */
        readonly NotifyRequest: {
            /** @description Platform variant ID, numeric or global. */
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
             * @description The outcome of the request.
             * @enum {string}
             */
            readonly message_code: "success" | "already_registered" | "in_stock";
        };
        /** @description A selection to complete. It may be empty. */
        readonly CompleteRequest: {
            /** @description The selection: up to 200 entries, one per unit. */
            readonly products: readonly {
                /** @description Platform variant ID, numeric or global. */
                readonly variant: string;
                /** @description Platform product ID, numeric or global. */
                readonly product: string;
                /** @description The section in which the item was chosen; 0 if in none (a required product or a free item). */
                readonly section: number;
                /** @description Answers by the key of the product's personalisation field; a checkbox is true or false. The answers of all items together may be up to 20000 bytes long (UTF-8). */
                readonly personalisation?: {
                    readonly [key: string]: string | boolean | null;
                } | null;
            }[];
            /** @description The country whose market prices and availability apply: ISO 3166-1 alpha-2, in upper or lower case. */
            readonly countryCode?: string | null;
            /** @description The option to subscribe to. Prices include its discount. */
            readonly subscription?: components["schemas"]["SubscriptionPrice"] | null;
            /**
             * @description `nearest`, the default: the fewest changes. `cheapest`: the lowest price.
             * @enum {string|null}
             */
            readonly aim?: "nearest" | "cheapest" | null;
            /** @description Products to prefer when units are added. Numeric or global IDs; products that the bundle does not offer are ignored. */
            readonly prefer?: readonly string[] | null;
            /** @description Products that must not be added. Numeric or global IDs; products that the bundle does not offer are ignored. */
            readonly avoid?: readonly string[] | null;
            /** @description The highest price of a solution, in the shop's currency. */
            readonly budget?: string | null;
        };
        /** @description Identical units that were added or removed. */
        readonly ChangedUnits: {
            /** @description Platform variant ID. */
            readonly variant: string;
            /** @description Platform product ID. */
            readonly product: string;
            /** @description The section in which the unit was chosen; 0 if it belongs to no section. */
            readonly section: number;
            /** @description Answers by field key; a ticked checkbox is `true`. Absent if there are no answers. */
            readonly personalisation?: {
                readonly [key: string]: string;
            };
            /** @description The number of units. */
            readonly quantity: number;
        };
        /**
         * @description A reason why a selection cannot be completed: a rule of the bundle, or a fact such as stock, a market or the shopper's
         *         wish.
         */
        readonly Reason: {
            /** @description A stable code: the code of an error detail, or `avoided`, `over_budget` or `conditions`. */
            readonly code: string;
            /** @description A human-readable message, in English. */
            readonly message: string;
            /** @description The path of the rule in the bundle. Empty for a fact, such as stock, a market or a wish. */
            readonly rule: string;
        };
        /** @description A selection that `configure` accepts. */
        readonly Solution: {
            /** @description The whole selection, one entry per unit, in the form that `configure` accepts. */
            readonly products: readonly components["schemas"]["SelectedUnit"][];
            /** @description The price of the selection, as in a configure response. */
            readonly pricing: components["schemas"]["PriceResult"];
            /** @description The units that were added to the selection, in the shop's order. */
            readonly added: readonly components["schemas"]["ChangedUnits"][];
            /** @description The units that were removed from the selection. */
            readonly removed: readonly components["schemas"]["ChangedUnits"][];
            /** @description The rules that the original selection did not meet. Empty if it can be configured as it is. */
            readonly reasons: readonly components["schemas"]["Reason"][];
        };
        /** @description The bounds on any solution that has not been found yet. */
        readonly Bound: {
            /** @description The lower bound on the number of changes; 0 with the aim `cheapest`. */
            readonly changes: number;
            /** @description The lower bound on the price, in the shop's currency. */
            readonly price: string;
        };
        /** @description The result of a completion: the solutions, and whether better ones can exist. */
        readonly Completion: {
            /** @description Up to three solutions, the best first. */
            readonly solutions: readonly components["schemas"]["Solution"][];
            /** @description Whether it is proven that no other solution is better. */
            readonly proven: boolean;
            /** @description What no other solution can beat. Null if `proven` is true. */
            readonly bound: components["schemas"]["Bound"] | null;
            /** @description The rules and facts that cannot be met together, when there is provably no solution; otherwise null. */
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
