"""A small shop that sells shirts and tea in boxes of six."""

SIX = """
shop: {handle: demo, name: Six, domain: demo.example, currency: EUR, moneyFormat: "€{{amount}}", weightUnit: kg, locale: en,
       headlessEnabled: true, activeFeatures: [personalisation, subscriptions], platform: {kind: embedded}, templates: [default]}
markets: [{countryCode: CH, currency: CHF, exchangeRate: "0.95", priceAdjustment: "0"}]
products:
  - {id: "100", title: Shirt, handle: shirt, status: ACTIVE, variants: [{id: "1001", title: Default Title, price: "8.00"}]}
  - {id: "200", title: Mug, handle: mug, status: ACTIVE, variants: [{id: "2001", title: Default Title, price: "4.00"}]}
  - {id: "700", title: Tea, handle: tea, status: ACTIVE,
     variants: [{id: "7001", title: Default Title, price: "1.00", inventoryTracked: true, inventoryPolicy: deny,
                 inventoryQuantity: 4}]}
  - {id: "900", title: Box, handle: box, status: ACTIVE, variants: [{id: "9001", title: Default Title, price: "0.00"}]}
bundles:
  - id: 1
    name: Six
    type: native
    platformProductId: "900"
    parentVariantId: "9001"
    discount: {type: percentage, value: "10.00"}
    sections:
      - {id: 1, name: Shirts, products: [{bundleItemId: 1, platformProductId: "100", variantIds: []}]}
      - {id: 2, name: Mugs, products: [{bundleItemId: 2, platformProductId: "200", variantIds: []}]}
    limitRules: [{type: total-number-of-products, operation: eq, value: "6"},
                 {type: total-number-of-products, operation: gte, value: "1", sectionId: 1},
                 {type: total-number-of-products, operation: lte, value: "5", sectionId: 2},
                 {type: total-number-of-products, operation: lte, value: "4", sectionId: 1}]
  - id: 2
    name: Tea only
    type: native
    platformProductId: "900"
    parentVariantId: "9001"
    sections: [{id: 1, name: Tea, products: [{bundleItemId: 1, platformProductId: "700", variantIds: []}]}]
    limitRules: [{type: total-number-of-products, operation: eq, value: "6"}]
"""
