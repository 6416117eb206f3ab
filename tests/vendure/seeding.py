"""Fills an engine with the shop from a shop file, through its Admin API."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from bundlesvc.domain.product import ACTIVE, Option, Product, Variant, market_price
from bundlesvc.domain.shop import Market, PlatformMarket
from bundlesvc.domain.shop_files.shop_file import ShopFile
from tests.vendure.admin import Admin

DECIMALS = 2
"""The number of decimal places of every amount in the engine, whatever its currency."""

READER = "reader@shop.example"
"""The e-mail address and password of an administrator who may only read the catalogue."""

Sql = Callable[[str], str]
"""A function that runs a statement in the engine's database."""

_SETTINGS = """mutation ($languages: [LanguageCode!]!) {
  updateGlobalSettings(input: {availableLanguages: $languages, trackInventory: true, outOfStockThreshold: 0}) { __typename }
}"""
_HOME = """mutation ($input: UpdateChannelInput!) {
  updateChannel(input: $input) { ... on Channel { id } ... on ErrorResult { errorCode message } }
}"""
_CHANNEL = """mutation ($input: CreateChannelInput!) {
  createChannel(input: $input) { ... on Channel { id } ... on ErrorResult { errorCode message } }
}"""
_FACET = "mutation ($input: CreateFacetInput!) { createFacet(input: $input) { id values { id code } } }"
_GROUP = """mutation ($input: CreateProductOptionGroupInput!) {
  createProductOptionGroup(input: $input) { id options { id code } }
}"""
_ADD_GROUP = """mutation ($product: ID!, $group: ID!) {
  addOptionGroupToProduct(productId: $product, optionGroupId: $group) { id }
}"""
_PRODUCT = "mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }"
_VARIANT = "mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }"
_ASSIGN = (
    "mutation ($input: AssignProductVariantsToChannelInput!) { assignProductVariantsToChannel(input: $input) { id } }"
)
_ROLE = "mutation ($input: CreateRoleInput!) { createRole(input: $input) { id } }"
_KEY = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }"
_ADMINISTRATOR = "mutation ($input: CreateAdministratorInput!) { createAdministrator(input: $input) { id } }"
_IMAGE = """WITH image AS (
  INSERT INTO asset (type, "mimeType", width, height, "fileSize", source, preview)
  VALUES ('IMAGE', 'image/png', 1, 1, 1, '{url}', '{url}') RETURNING id
), named AS (
  INSERT INTO asset_translation ("languageCode", name, "baseId") SELECT 'en', 'image', id FROM image
), sold AS (
  INSERT INTO asset_channels_channel ("assetId", "channelId") SELECT id, 1 FROM image
) SELECT id FROM image"""


@dataclass
class Seeding:
    """An engine that is being filled with data from a shop file. Its products keep the ids that they have in the shop file."""

    admin: Admin
    sql: Sql
    shop: ShopFile
    languages: tuple[str, ...] = ("en",)
    permissions: tuple[str, ...] = ("ReadCatalog",)
    """The permissions of the service's key."""
    _facets: dict[str, str] = field(default_factory=dict)
    """The ids of facet values, by tag."""

    def fill(self) -> str:
        """Create all data. Returns an API key that may read the catalogue in the home channel. The administrator `READER` may
        read the catalogue in all channels."""
        channels = [self._home(), *(self._market_channel(market) for market in self._foreign_markets())]
        self._tags()
        for product in self.shop.products:
            self._product(product)
        for channel, market in zip(channels[1:], self._foreign_markets(), strict=True):
            self._sell(channel, market)
        return self._key(channels)

    def markets(self) -> tuple[PlatformMarket, ...]:
        """Return the markets in the form in which a shop file lists them for this platform."""
        return tuple(
            PlatformMarket(market.country_code, market.currency, market.exchange_rate, market.country_code.lower())
            for market in self._foreign_markets()
        )

    def _foreign_markets(self) -> list[Market]:
        return [market for market in self.shop.markets if market.currency != self._currency]

    @property
    def _currency(self) -> str:
        assert self.shop.shop.settings is not None
        return self.shop.shop.settings.currency

    def _home(self) -> str:
        self.admin.run(_SETTINGS, languages=self.languages)
        channel: str = self.admin.run("{ activeChannel { id } }")["activeChannel"]["id"]
        currency = {"defaultCurrencyCode": self._currency, "availableCurrencyCodes": [self._currency]}
        self.admin.run(
            _HOME,
            input={
                "id": channel,
                "pricesIncludeTax": True,
                "availableLanguageCodes": self.languages,
                **currency,
            },
        )
        return channel

    def _market_channel(self, market: Market) -> str:
        zone = self.admin.run("{ activeChannel { defaultTaxZone { id } } }")["activeChannel"]["defaultTaxZone"]["id"]
        token = market.country_code.lower()
        made = self.admin.run(
            _CHANNEL,
            input={
                "code": token,
                "token": token,
                "defaultLanguageCode": "en",
                "availableLanguageCodes": self.languages,
                "pricesIncludeTax": True,
                "defaultCurrencyCode": market.currency,
                "availableCurrencyCodes": [market.currency],
                "defaultTaxZoneId": zone,
                "defaultShippingZoneId": zone,
            },
        )
        return str(made["createChannel"]["id"])

    def _tags(self) -> None:
        """Create facets for the tags. A tag `colour:red` becomes the value `red` of the facet `colour`; other tags become values
        of the facet `tags`."""
        tags = dict.fromkeys(tag for product in self.shop.products for tag in product.tags)
        by_facet: dict[str, list[str]] = {}
        for tag in tags:
            facet, _, value = tag.rpartition(":")
            by_facet.setdefault(facet or "tags", []).append(value)
        for facet, values in by_facet.items():
            made = self.admin.run(
                _FACET,
                input={
                    "code": facet,
                    "isPrivate": False,
                    "translations": _texts(facet),
                    "values": [{"code": value, "translations": _texts(value)} for value in values],
                },
            )
            prefix = "" if facet == "tags" else f"{facet}:"
            self._facets |= {f"{prefix}{value['code']}": value["id"] for value in made["createFacet"]["values"]}

    def _product(self, product: Product) -> None:
        self._next_id("product", product.id)
        translations = [
            {
                "languageCode": "en",
                "name": product.title,
                "slug": product.handle,
                "description": product.description_html,
            },
            *(
                {
                    "languageCode": language,
                    "name": words.title,
                    "slug": f"{product.handle}-{language}",
                    "description": words.description_html,
                }
                for language, words in product.translations.items()
            ),
        ]
        made = self.admin.run(
            _PRODUCT,
            input={
                "enabled": product.status == ACTIVE,
                "featuredAssetId": self._image(product.image_url),
                "facetValueIds": [self._facets[tag] for tag in product.tags],
                "translations": translations,
            },
        )
        assert made["createProduct"]["id"] == str(product.id)
        options = [self._options(product, option) for option in product.options]
        for variant in product.variants:
            self._variant(product, variant, options)

    def _options(self, product: Product, option: Option) -> Mapping[str, str]:
        """Create an option, and return the ids of its values."""
        translated = {language: words.options.get(option.name) for language, words in product.translations.items()}
        names = {language: words.name for language, words in translated.items() if words and words.name}
        values = [
            {
                "code": value.lower(),
                "translations": _texts(
                    value,
                    {
                        language: words.values[value]
                        for language, words in translated.items()
                        if words and value in words.values
                    },
                ),
            }
            for value in option.values
        ]
        made = self.admin.run(
            _GROUP,
            input={
                "code": f"{product.handle}-{option.name}".lower(),
                "translations": _texts(option.name, names),
                "options": values,
            },
        )["createProductOptionGroup"]
        self.admin.run(_ADD_GROUP, product=str(product.id), group=made["id"])
        ids = {one["code"]: one["id"] for one in made["options"]}
        return {value: ids[value.lower()] for value in option.values}

    def _variant(self, product: Product, variant: Variant, options: Iterable[Mapping[str, str]]) -> None:
        """Create a variant. The engine has no inventory policy, so a variant that may be oversold is created without stock
        tracking."""
        self._next_id("product_variant", variant.id)
        tracked = variant.inventory_tracked and variant.inventory_policy == "deny"
        values = zip(options, variant.option_values, strict=True)
        made = self.admin.run(
            _VARIANT,
            input=[
                {
                    "productId": str(product.id),
                    "sku": variant.sku,
                    "price": minor(variant.price),
                    "optionIds": [ids[value] for ids, value in values],
                    "featuredAssetId": self._image(variant.image or ""),
                    "trackInventory": "TRUE" if tracked else "FALSE",
                    "stockOnHand": variant.inventory_quantity if tracked else 0,
                    "translations": _texts(f"{product.title} {' '.join(variant.option_values)}".strip()),
                }
            ],
        )
        assert made["createProductVariants"][0]["id"] == str(variant.id)

    def _next_id(self, table: str, number: int) -> None:
        self.sql(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {number}, false)")

    def _image(self, url: str) -> str | None:
        """Create an image, and return its id. The engine under test stores no files, so a database row stands in for the
        image."""
        if not url:
            return None
        return self.sql(_IMAGE.format(url=url))

    def _sell(self, channel: str, market: Market) -> None:
        """Make the market's variants available in a channel, at the market's prices."""
        variants = {variant.id: variant for product in self.shop.products for variant in product.variants}
        sold = [number for number in variants if number not in market.unavailable_variant_ids]
        self.admin.run(
            _ASSIGN, input={"channelId": channel, "productVariantIds": list(map(str, sold)), "priceFactor": 1}
        )
        for number in sold:
            price = market_price(variants[number], market, self._currency).presentment_price
            self.sql(
                f"UPDATE product_variant_price SET price = {minor(price)}, \"currencyCode\" = '{market.currency}' "
                f'WHERE "channelId" = {channel} AND "variantId" = {number}'
            )

    def _key(self, channels: Sequence[str]) -> str:
        role = add_administrator(self.admin, READER, *self.permissions, channels=channels)
        made = self.admin.run(_KEY, input={"roleIds": [role], "translations": _texts("Bundles")})
        return str(made["createApiKey"]["apiKey"])


def add_administrator(admin: Admin, name: str, *permissions: str, channels: Sequence[str] = ("1",)) -> str:
    """Add an administrator with these permissions in these channels. The password equals the name. Returns the id of the role."""
    role = {
        "code": "-".join(permissions).lower(),
        "description": " ".join(permissions),
        "permissions": permissions,
        "channelIds": list(channels),
    }
    role_id: str = admin.run(_ROLE, input=role)["createRole"]["id"]
    person = {"firstName": "A", "lastName": "B", "emailAddress": name, "password": name, "roleIds": [role_id]}
    admin.run(_ADMINISTRATOR, input=person)
    return role_id


def minor(amount: Decimal) -> int:
    """Convert an amount to the engine's minor units."""
    return int(amount.scaleb(DECIMALS))


def _texts(name: str, others: Mapping[str, str] | None = None) -> list[Mapping[str, str]]:
    names = {"en": name, **(others or {})}
    return [{"languageCode": language, "name": text} for language, text in names.items()]
