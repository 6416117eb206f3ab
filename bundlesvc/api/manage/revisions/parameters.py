"""Parameters and errors shared by the endpoints for revisions."""

from bundlesvc.api.endpoint import BODY_ERRORS, Parameter
from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS
from bundlesvc.domain.revisions.refusals import IfMatchRequired, RevisionOutdated, RevisionState
from bundlesvc.domain.revisions.revision import MAX_LISTED

TAG = "revisions"

NUMBER = Parameter("number", "path", "The number of a revision, or `live`.", "7")
DRAFT = Parameter("number", "path", "The number of a revision.", "7")
IF_MATCH = Parameter("If-Match", "header", "The ETag of the draft, as you last read it.", '"7-2"')
DRY_RUN = Parameter("dryRun", "query", "`true`: check everything, but store nothing.", "true", {"type": "boolean"})
LIMIT = Parameter(
    "limit",
    "query",
    "The largest number of entries to return.",
    20,
    {"type": "integer", "minimum": 1, "maximum": MAX_LISTED},
)
CURSOR = Parameter("cursor", "query", "The cursor from the `Link` header of the previous page.", "Nw")
AGAINST = Parameter("against", "query", "The other revision: its number, or `live` (default).", "live")
AT = Parameter(
    "at", "query", "The time for which to return the content of the live revision.", "2026-11-27T00:00:00+01:00"
)
STATE = Parameter("state", "query", "Only revisions in these states, separated by commas.", "draft,scheduled")
SEARCH = Parameter("search", "query", "Words to search for, up to 200 characters.", "coffee")
SINCE = Parameter("since", "query", "Only entries recorded at this time or later.", "2026-11-23T10:00:00Z")

IDEMPOTENCY_ERRORS = ("idempotency_key_invalid", "idempotency_key_reused")
WRITE_ERRORS = ("not_found", *BODY_ERRORS)
DRAFT_ERRORS = (*WRITE_ERRORS, RevisionState.code, RevisionOutdated.code, IfMatchRequired.code)
READ_ERRORS = ("not_found", "invalid_request")

NOUNS = {BUNDLES: "bundle", PRODUCTS: "product", MARKETS: "market", EXPERIMENTS: "experiment"}
EXAMPLES = {BUNDLES: "101", PRODUCTS: "1001", MARKETS: "US", EXPERIMENTS: "exp-1"}
IDS = {MARKETS: "The country code of the market."}
OF_FILE = "Returns the item in the format of the shop file."


def with_article(kind: str) -> str:
    """Return the noun for a kind of item, with its indefinite article."""
    return f"{'an' if kind == EXPERIMENTS else 'a'} {NOUNS[kind]}"


def item_id(kind: str) -> Parameter:
    """Describe the path parameter that contains the id of an item of the given kind."""
    return Parameter("id", "path", IDS.get(kind, f"The id of the {NOUNS[kind]}."), EXAMPLES[kind])
