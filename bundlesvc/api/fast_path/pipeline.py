"""The fast path: it answers requests before they reach the application, exactly as the application would.

A request passes these steps:
    bytes from a client
      |
    Connection (server/connection.py): aiohttp's parser turns them into messages, unless it has parsed them before
      |                                (head_cache.py)
    recognise    a plain GET or HEAD below the base path, or a plain POST to a path that the application
      |          has answered before, whose body came with its head?          -- no --> the application
    admit        the gate: key, rate limits, scope, shop, origin (middleware/gate.py)
      |
    answer       a GET: is there a serialised response, built from the data that the application would use now?
      |          a POST: the endpoint's own function
    write        a serialised head + request id, limits, date; statistics; log line

All steps are coroutines that need no task unless they wait (`eager.py`), and most do not wait. A request that cannot be answered
here is passed on to the application together with the work already done: it is not admitted again, and no handler runs twice. The
fast path skips only the router, the layers, the signals, and aiohttp's request and task, which account for most of the time that
a small request takes (docs/performance.md).

The fast path learns from the responses that the application sends: it caches serialised responses to GETs, and the serialised
heads of responses to POSTs. `BUNDLESVC_EDGE=0` turns the fast path off; the responses stay the same, byte for byte.
"""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

from aiohttp import EMPTY_PAYLOAD, StreamReader, web
from prometheus_client import Metric

from bundlesvc.api.aiohttp_internals import RawRequestMessage, buffered_body, rfc822_formatted_time
from bundlesvc.api.app_keys import OUTCOME
from bundlesvc.api.fast_path.get_responder import GetResponder
from bundlesvc.api.fast_path.head_cache import HeadCache, Known, PlainGet, PlainPost, Repeated
from bundlesvc.api.fast_path.post_responder import PostResponder
from bundlesvc.api.fast_path.raw_responses import Chunks, RawResponse
from bundlesvc.api.middleware.gate import Admission, Gate
from bundlesvc.api.middleware.observation import REQUEST_ID_HEADER, RequestRecord, limit_values, request_id_of
from bundlesvc.api.overload import Slot
from bundlesvc.domain.access.caller import Caller
from bundlesvc.eager import Waiting, start

Outcome = web.StreamResponse | Exception | None
_Respond = Callable[[Caller], Awaitable[RawResponse | web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Handoff:
    """A request that is passed on to the application, with the progress of its admission and its outcome so far, if any."""

    admission: Admission
    outcome: Outcome

    def note(self, request: web.BaseRequest) -> None:
        """Record on aiohttp's request which steps are already done."""
        self.admission.note(request)
        if self.outcome is not None:
            request[OUTCOME] = self.outcome


class FastPath:
    """Answers requests before they reach the application, in the steps described in the module's docstring."""

    def __init__(self, gate: Gate, record: RequestRecord, gets: GetResponder, posts: PostResponder) -> None:
        self._gate = gate
        self._record = record
        self._statistics = record.statistics
        self._gets = gets
        self._posts = posts
        self.heads = HeadCache(self.recognise)

    def recognise(self, message: RawRequestMessage, payload: StreamReader) -> Known | None:
        """Recognise a request that the fast path may answer. Returns None when only the application can answer it."""
        recognise = self._gets.recognise if payload is EMPTY_PAYLOAD else self._posts.recognise
        return recognise(message, payload)

    def begin(
        self,
        message: RawRequestMessage,
        payload: StreamReader,
        remote: str | None,
        slot: Slot | None,
        repeated: Repeated | None,
    ) -> Chunks | Handoff | Waiting[Chunks | Handoff] | None:
        """Begin a request. Returns its response or the handoff to the application, or a `Waiting` that will produce one of them,
        or None when the request must go to the application untouched. Pass None as the slot during an overload: then no request
        that writes is started. If the head was parsed earlier, the body is in `repeated`, and `payload` is ignored."""
        if self._statistics.draining:
            return None
        plain = repeated.known if repeated else self.recognise(message, payload)
        if plain is None:
            return None
        respond: _Respond | None = None
        if isinstance(plain, PlainPost):
            post = self._posts.find(plain)
            if post is None or (slot is None and post.writes):
                return None
            waiting = nullcontext if slot is None else slot.waiting
            body = repeated.body if repeated else buffered_body(payload)
            respond = partial(self._posts.respond, post, message, body, waiting)
        admission = Admission(plain.path, message.headers, remote, plain.origin, plain.caller)
        return start(self._run(admission, message, plain, respond))

    async def finish(self, waiting: Waiting[Chunks | Handoff]) -> Chunks | Handoff:
        """Continue a request that had to wait."""
        self._statistics.under_way += 1
        try:
            return await waiting.finish()
        finally:
            self._statistics.under_way -= 1

    async def _run(
        self, admission: Admission, message: RawRequestMessage, plain: Known, respond: _Respond | None
    ) -> Chunks | Handoff:
        """Admit a request and answer it: a GET from the serialised responses, a POST with the function of its endpoint."""
        started = time.perf_counter()
        outcome: RawResponse | web.StreamResponse | None = None
        try:
            caller = await self._gate.admit(admission)
            if respond is not None:
                plain.caller = admission.key_holder
                outcome = await respond(caller)
            elif isinstance(plain, PlainGet) and admission.key_holder is not None:
                outcome = self._gets.respond(plain, admission.key_holder, started)
            if isinstance(outcome, RawResponse):
                return self._write(message, caller, admission, outcome, started)
        except Exception as error:  # noqa: BLE001 - the application raises it again
            return Handoff(admission, error)
        return Handoff(admission, outcome)

    def _write(
        self, message: RawRequestMessage, caller: Caller, admission: Admission, reply: RawResponse, started: float
    ) -> Chunks:
        (head, body, before, after), limit = reply, admission.limit
        request_id = request_id_of(message.headers.get(REQUEST_ID_HEADER))
        values = [*before]
        if limit is not None and not head.shared:
            values += (request_id, *limit_values(limit, caller.key))
        values += (*after, rfc822_formatted_time())
        if admission.origin is not None:
            values.append(admission.origin)
        filled = head.fill(values)
        self._record.write(request_id, message, head.route, head.path, head.status, caller, started)
        return (filled, body) if body else (filled,)

    async def learn(self, request: web.Request, response: web.StreamResponse) -> None:
        """Let both responders learn from a response that the application sends. This is the last handler of
        `on_response_prepare`, so the head is complete."""
        self._gets.learn(request, response)
        self._posts.learn(request, response)

    def expire(self) -> None:
        """Drop whatever has long been unused. Call it once a second."""
        self._gets.expire()
        self.heads.expire()

    def collect(self) -> Iterator[Metric]:
        """Return the metrics of the fast path (the collector interface of prometheus_client)."""
        return self._gets.collect(self.heads.size)


FAST_PATH = web.AppKey("fast_path", FastPath)


def add_fast_path(app: web.Application, fast_path: FastPath) -> None:
    """Install the fast path in front of the application. Call this after all other `on_response_prepare` handlers have been
    registered."""
    app.on_response_prepare.append(fast_path.learn)
    app[FAST_PATH] = fast_path
