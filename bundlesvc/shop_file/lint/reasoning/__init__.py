"""What the linter can conclude about a bundle. Checks import from here only, never from the modules inside.

Start with `Reasoning`, one for each bundle. It holds:

- `limits`: what the limit rules allow, each by itself and together, as sets of whole numbers (`Numbers`);
- `by_terms`, `in_stock`, `in_market(…)`: the selections that are possible (`Reach`), by the bundle's terms alone, with
  what is in stock, and in one market: how many items, of which products, at which prices and weights. Where none is
  possible, `Cause` says which kind of demand is to blame;
- `logic`, `purchase_logic`: which conditions never hold, always hold or imply others (`Logic`), for any selection and
  for selections that can be bought;
- `is_possible`, `can_be_bought`: whether there may be a selection at all.

`cheap_selections` returns selections that can certainly be bought (`Witness`), for findings that need an example.

Two guarantees. Sets and reaches err on one side: each holds everything that is possible, and maybe more, so a number
outside of it is certainly impossible, and a finding built on that is never a guess. Witnesses err on the other side: each
one is real, but not every one is found. docs/decisions/0016-the-linters-reasoning.md says why.
"""

from bundlesvc.shop_file.lint.reasoning.amounts import Deduction
from bundlesvc.shop_file.lint.reasoning.bundle import Reasoning
from bundlesvc.shop_file.lint.reasoning.limits import DIFFERENT, EACH_PRODUCT, EACH_VARIANT, TOTAL, Limit
from bundlesvc.shop_file.lint.reasoning.logic import Logic
from bundlesvc.shop_file.lint.reasoning.numbers import (
    ANY_NUMBER,
    ITEMS,
    UNBOUNDED,
    ZERO_ONLY,
    Numbers,
    satisfying,
)
from bundlesvc.shop_file.lint.reasoning.offers import Catalogue, Requirement, requirements_of
from bundlesvc.shop_file.lint.reasoning.reach import Cause
from bundlesvc.shop_file.lint.reasoning.witnesses import Witness, cheap_selections

__all__ = [
    "ANY_NUMBER",
    "DIFFERENT",
    "EACH_PRODUCT",
    "EACH_VARIANT",
    "ITEMS",
    "TOTAL",
    "UNBOUNDED",
    "ZERO_ONLY",
    "Catalogue",
    "Cause",
    "Deduction",
    "Limit",
    "Logic",
    "Numbers",
    "Reasoning",
    "Requirement",
    "Witness",
    "cheap_selections",
    "requirements_of",
    "satisfying",
]
