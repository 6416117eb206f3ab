"""Explanations of error codes and of the codes in error details: what each refusal means, and what to do about it."""

from typing import NamedTuple


class Explanation(NamedTuple):
    """The meaning of a code and the next step. `retry` says whether the same call may succeed later."""

    meaning: str
    next_step: str
    retry: bool = False


_CORRECT = "Correct the fields that `details` names, and call again."
_CHANGE = "Change the selection as the sentences in `details` say, check it again, and only then configure it."
_WAIT = "Wait for `retryAfter` seconds, then repeat the same call; for configure, with the same idempotencyKey."
_ASK_OPERATOR = "Do not retry. The shop's operator must change the key or the shop."

ERRORS: dict[str, Explanation] = {
    "invalid_json": Explanation("The body of the request is not valid JSON.", "Send valid JSON in UTF-8."),
    "invalid_request": Explanation("Arguments are missing, unknown or of the wrong type.", _CORRECT),
    "selection_invalid": Explanation(
        "The bundle does not offer all of the selected items, or there are too few or too many.",
        "Take variant, product and section together from one entry of get_bundle.",
    ),
    "rules_not_met": Explanation("The selection does not meet all rules of the bundle.", _CHANGE),
    "subscription_invalid": Explanation(
        "The subscription is missing, or is not one of the bundle's.",
        "Choose one of the `sellingPlans` in get_bundle: send its groupId as `id`, with its frequency and unit.",
    ),
    "personalisation_invalid": Explanation(
        "Answers to personalisation fields are missing or invalid.",
        "Compare the answers with `personalisation` in get_bundle.",
    ),
    "conditions_discount_mismatch": Explanation(
        "The caller and the service computed different discounts.", "Leave that discount out: the service computes it."
    ),
    "price_changed": Explanation(
        "The price is not the one that was expected. Nothing was stored.",
        "Show the shopper the `actual` price in `details`. If they agree, configure with it as the expected price.",
    ),
    "idempotency_key_invalid": Explanation(
        "The idempotency key is empty, too long, or contains characters that are not printable ASCII.", "Send a UUID."
    ),
    "idempotency_key_reused": Explanation(
        "This idempotency key was used for another selection.", "Send a new key for each purchase."
    ),
    "content_encoding_unsupported": Explanation("The body is compressed.", "Send it without Content-Encoding."),
    "body_too_slow": Explanation("The body arrived too slowly.", "Send the request again.", retry=True),
    "key_invalid": Explanation("The API key is missing, unknown or revoked.", _ASK_OPERATOR),
    "key_scope": Explanation("The API key has no access to this part of the service.", _ASK_OPERATOR),
    "origin_not_allowed": Explanation("The API key may not be used from this page.", _ASK_OPERATOR),
    "shop_not_enabled": Explanation("The shop is not open to this API.", _ASK_OPERATOR),
    "signature_invalid": Explanation("The signature of a webhook is wrong.", _ASK_OPERATOR),
    "not_found": Explanation("There is no such bundle in this shop, or it is not for sale.", "Call list_bundles."),
    "body_too_large": Explanation("The request is too large.", "Send a smaller selection."),
    "rate_limited": Explanation(
        "There have been too many calls, or too many configured bundles, recently.", _WAIT, retry=True
    ),
    "platform_error": Explanation("The shop's commerce platform sent an invalid response.", _WAIT, retry=True),
    "overloaded": Explanation("The service is overloaded.", _WAIT, retry=True),
    "shutting_down": Explanation("This process of the service is stopping.", _WAIT, retry=True),
    "platform_not_connected": Explanation("The shop is not connected to its platform yet.", _WAIT, retry=True),
    "platform_unavailable": Explanation("The shop's commerce platform cannot be reached.", _WAIT, retry=True),
    "ghost_variants_full": Explanation("The platform has no room for this selection at the moment.", _WAIT, retry=True),
    "storage_unavailable": Explanation("The service cannot use its database at the moment.", _WAIT, retry=True),
    "platform_timeout": Explanation("The shop's commerce platform took too long.", _WAIT, retry=True),
    "http_version_unsupported": Explanation("The request uses an unsupported version of HTTP.", "Send it as HTTP/1.1."),
    "method_not_allowed": Explanation("This address does not support the method.", "Send a POST."),
    "internal_error": Explanation(
        "An error occurred in the service.",
        "Retry once. If it happens again, report the request id to the shop.",
        retry=True,
    ),
}
"""The explanation of each error, by its code."""

DETAILS: dict[str, Explanation] = {
    "invalid": Explanation("The value of this field is not allowed.", "Correct it as `message` says."),
    "required": Explanation("This field is missing.", "Add it."),
    "unknown_template": Explanation("The shop has no such template.", "Leave the template out."),
    "item_count": Explanation("There are too few or too many items.", "Choose from 1 to 200 units."),
    "unknown_section": Explanation("The bundle has no such section.", "Take `section` from get_bundle."),
    "unknown_product": Explanation("The bundle does not offer this product.", "Choose a product from get_bundle."),
    "unknown_variant": Explanation(
        "The variant does not belong to the product.", "Take variant and product from the same entry of get_bundle."
    ),
    "not_in_section": Explanation(
        "This section does not offer the product.", "Send the section under which get_bundle lists the product."
    ),
    "variant_not_allowed": Explanation(
        "This section offers other variants of the product.", "Choose one of the variants that get_bundle lists there."
    ),
    "limit_not_met": Explanation(
        "A limit of the bundle is not met: `actual` is the selection's value, `limit` what the rule requires, in `unit`.",
        "Add what is `missing`. If `missing` is 0, there is too much: remove items.",
    ),
    "type_mismatch": Explanation("The bundle is of another type.", "Read the bundle again."),
    "not_active": Explanation("The product is not on sale.", "Choose another product."),
    "sold_out": Explanation(
        "There are not enough units of the variant in stock.",
        "Take no more than `left` in get_bundle, or another variant.",
    ),
    "not_sold_in_country": Explanation("The variant is not sold in this country.", "Choose another variant."),
    "required_missing": Explanation("A required product is missing.", "Add as many units of it as are `missing`."),
    "section_hidden": Explanation(
        "With this selection, nothing can be chosen in this section.", "Remove the items of this section."
    ),
    "product_hidden": Explanation("With this selection, the product cannot be chosen.", "Remove the product."),
    "blocked": Explanation("The bundle cannot be bought like this; `message` is the shop's reason.", _CHANGE),
    "not_offered": Explanation("The bundle does not offer this option.", "Leave it out, or choose one that it offers."),
    "invalid_email": Explanation("This is not an e-mail address.", "Ask the shopper for the address."),
    "unknown_group": Explanation("The bundle has no such selling plan.", "Take groupId from `sellingPlans`."),
    "unknown_option": Explanation(
        "Deliveries at this interval are not offered.", "Take frequency and unit from `sellingPlans`."
    ),
    "unknown_field": Explanation("The product has no such personalisation field.", "Leave the answer out."),
    "too_long": Explanation("The answer is too long.", "Shorten it to the field's `characterLimit`."),
    "invalid_character": Explanation("The answer contains a character that cannot be printed.", "Remove it."),
    "answers_too_long": Explanation("The answers are too long in total.", "Shorten them."),
    "mismatch": Explanation("The service computed a different discount.", "Leave the discount out."),
    "different_price": Explanation(
        "The price is `actual`, not `expected`.", "Ask the shopper, then send `actual` as the expected price."
    ),
}
"""The explanation of each detail, by its code."""


REASONS: dict[str, Explanation] = {
    "avoided": Explanation(
        "The rules cannot be met without the products that the shopper wants to avoid.",
        "Ask the shopper which of these products may be added after all.",
    ),
    "over_budget": Explanation("No selection that meets the rules costs so little.", "Ask for a higher budget."),
    "conditions": Explanation(
        "The bundle's conditions do not allow it.",
        "Read the sentences in `rules.conditions` in get_bundle, and tell the shopper.",
    ),
}
"""The explanation of each reason that only complete_selection returns, by its code."""

EXPLAINED = frozenset((*ERRORS, *DETAILS, *REASONS))
"""Every code that has an explanation."""


def explanation_of(code: str) -> Explanation | None:
    """Return the explanation of an error, detail or reason code, or None when the code is unknown."""
    return ERRORS.get(code) or DETAILS.get(code) or REASONS.get(code)
