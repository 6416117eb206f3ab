"""The tools that every service offers, in the order in which they are listed to assistants."""

from bundlesvc.api.agents.tool import Tool
from bundlesvc.api.agents.tools.reading import GET_BUNDLE, LIST_BUNDLES
from bundlesvc.api.agents.tools.refusals import EXPLAIN_REFUSAL
from bundlesvc.api.agents.tools.selections import CHECK_SELECTION, CONFIGURE, PRICE

TOOLS: tuple[Tool, ...] = (LIST_BUNDLES, GET_BUNDLE, CHECK_SELECTION, PRICE, CONFIGURE, EXPLAIN_REFUSAL)
