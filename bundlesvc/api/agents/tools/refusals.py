"""The tool that explains the codes of refusals."""

from bundlesvc.api.agents.arguments import ExplainArguments
from bundlesvc.api.agents.explanations import explanation_of
from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.results import ExplanationSchema
from bundlesvc.api.agents.tool import Tool, ToolCall
from bundlesvc.domain.errors import Fault, InvalidRequest


async def explain_refusal(call: ToolCall) -> Json:
    code = call.arguments["code"]
    found = explanation_of(code)
    if found is None:
        raise InvalidRequest([Fault("code", "invalid", "Must be the code of an error or of one of its details.")])
    return {"code": code, "meaning": found.meaning, "nextStep": found.next_step, "retry": found.retry}


EXPLAIN_REFUSAL = Tool(
    "explain_refusal",
    "Explain a refusal",
    "What the `code` of an error or of one of its `details` means, what to do next, and whether to send the same call again.",
    ExplainArguments(),
    ExplanationSchema(),
    explain_refusal,
)
