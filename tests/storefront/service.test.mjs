/** Requests over HTTP: what is sent, what is retried, and how calls fail. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";

import "./browser-globals.mjs";
import { NetworkError, ServiceError, createClient } from "../../bundlesvc/storefront/client/client.js";
import { breakOff, hangUp, json, keepSilent, raw, refusal, serving, stall } from "./scripted-server.mjs";

const BODY = { type: "native", products: [{ variant: "11", product: "1", section: 1 }] };
const OK = json(200, { fine: true });
const AT_ONCE = { "Retry-After": "0" };
/** Timeout in milliseconds that ends an attempt without a response, but none whose request is merely slow on a busy machine. */
const IMPATIENT_MS = 800;
const KEY = /^\d+(-\d+){3}$/;

/** A client with short waits. */
function clientOf(baseUrl, options = {}) {
  return createClient({ baseUrl, apiKey: "bnd_test_key", backoffMs: 1, ...options });
}

/** The outcome of a call to a server with these responses, and its requests. */
function calling(answers, call, options) {
  return serving(answers, async ({ baseUrl, requests, once }) => {
    const client = clientOf(baseUrl, options);
    const settled = await Promise.allSettled([call(client, { requests, once, baseUrl })]);
    return { requests, value: settled[0].value, error: settled[0].reason };
  });
}

const PATHS = [
  ["bundles", (client) => client.bundles(), "GET /bundles"],
  ["listBundles", (client) => client.listBundles().then(({ bundles }) => bundles), "GET /bundles?limit=100"],
  [
    "listBundles with all that there is",
    (client) =>
      client
        .listBundles({ lang: "de", handle: "box", include: "offer", limit: 2, cursor: "YWZ0ZXI6MQ" })
        .then(({ bundles }) => bundles),
    "GET /bundles?lang=de&handle=box&include=offer&limit=2&cursor=YWZ0ZXI6MQ",
  ],
  ["bundle", (client) => client.bundle(42), "GET /bundles/42"],
  ["settings", (client) => client.settings(), "GET /settings"],
  ["price", (client) => client.price(42, BODY), "POST /bundles/42/price", BODY],
  ["complete", (client) => client.complete(42, BODY), "POST /bundles/42/complete", BODY],
  ["configure", (client) => client.configure(42, BODY), "POST /bundles/42/configure", BODY],
  ["readConfigured", (client) => client.readConfigured(42, "0f&1"), "GET /configured-bundles/42?unique=0f%261"],
  ["embed.settings", (client) => client.embed.settings(), "GET /embed/api/v1/settings"],
  [
    "embed.settings in a language",
    (client) => client.embed.settings({ lang: "de-CH" }),
    "GET /embed/api/v1/settings?lang=de-CH",
  ],
  ["embed.bundle", (client) => client.embed.bundle({ id: 42 }), "GET /embed/api/v1/bundle?id=42"],
  [
    "embed.bundle with all that there is",
    (client) =>
      client.embed.bundle({
        productHandle: "gift & box",
        lang: "de",
        forceTemplate: "compact",
        visitorId: "7d444840-9dc0-11d1-b245-5ffdce74fad2",
        abBypass: false,
        countryCode: "US",
      }),
    "GET /embed/api/v1/bundle?productHandle=gift+%26+box&lang=de&forceTemplate=compact&countryCode=US" +
      "&visitor_id=7d444840-9dc0-11d1-b245-5ffdce74fad2&ab_bypass=false",
  ],
  ["embed.complete", (client) => client.embed.complete(42, BODY), "POST /embed/api/v1/bundle/42/complete", BODY],
  ["embed.configure", (client) => client.embed.configure(42, BODY), "POST /embed/api/v1/bundle/42/product", BODY],
  [
    "embed.variant",
    (client) => client.embed.variant(42, 8000000000000000),
    "GET /embed/api/v1/bundle/42/variant/8000000000000000",
  ],
  [
    "embed.content",
    (client) => client.embed.content([{ variantId: 8 }]),
    "POST /embed/api/v1/content",
    { bundles: [{ variantId: 8 }] },
  ],
  [
    "embed.notify",
    (client) => client.embed.notify({ variant: "11", customerEmail: "mira@mail.example", bundleName: "Box" }),
    "POST /embed/api/v1/notify",
    { variant: "11", customer_email: "mira@mail.example", bundle_name: "Box" },
  ],
];

test("a part of the list names the cursor of the next", async () => {
  const link = '</api/headless/v1/bundles?lang=de&limit=1&cursor=YWZ0ZXI6MQ>; rel="next"';
  const { value } = await calling([json(200, [{ id: 1 }], { Link: link })], (client) =>
    client.listBundles({ limit: 1 }),
  );
  assert.deepEqual(value, { bundles: [{ id: 1 }], next: "YWZ0ZXI6MQ" });
});

test("the last part of the list has no next", async () => {
  const { value } = await calling([json(200, [])], (client) => client.listBundles());
  assert.deepEqual(value, { bundles: [], next: null });
});

for (const [name, call, line, body] of PATHS) {
  test(`request of ${name}`, async () => {
    const { requests, value } = await calling([OK], call);
    const [{ method, url, headers, body: sent }] = requests;
    assert.equal(`${method} ${url}`, line.replace(" ", " /api/headless/v1"));
    assert.equal(headers.authorization, "Bearer bnd_test_key");
    assert.deepEqual(sent && JSON.parse(sent), body ?? "");
    assert.equal(headers["content-type"], body && "application/json");
    assert.deepEqual(value, { fine: true });
  });
}

test("a fresh bundle has an address of its own each time, and no cache stores it", async () => {
  const caches = [];
  const fetch = (address, init) => {
    caches.push(init.cache);
    return globalThis.fetch(address, init);
  };
  const read = async (client) => {
    await client.embed.bundle({ id: 42, fresh: true });
    await client.embed.bundle({ id: 42, fresh: true });
    await client.embed.bundle({ id: 42, fresh: false });
  };
  const { requests } = await calling([OK], read, { fetch });
  const [first, second, usual] = requests.map(({ url }) => new URLSearchParams(url.split("?")[1]).get("fresh"));
  assert.match(first, KEY);
  assert.match(second, KEY);
  assert.notEqual(first, second);
  assert.equal(usual, null);
  assert.deepEqual(caches, ["no-store", "no-store", undefined]);
});

test("embed.bundle does not send unknown options, such as a key", async () => {
  const settings = { id: 42, apiKey: "bnd_test_key", baseUrl: "https://bundles.example" };
  const { requests } = await calling([OK], (client) => client.embed.bundle(settings));
  assert.equal(requests[0].url, "/api/headless/v1/embed/api/v1/bundle?id=42");
});

test("products returns the list", async () => {
  const { value } = await calling([json(200, { products: [{ title: "Shirt" }] })], (client) => client.products(42));
  assert.deepEqual(value, [{ title: "Shirt" }]);
});

for (const [countryCode, query] of [
  ["US", "?countryCode=US"],
  [null, ""],
  [undefined, ""],
]) {
  test(`products in ${countryCode}`, async () => {
    const { requests } = await calling([json(200, {})], (client) => client.products(42, { countryCode }));
    assert.equal(requests[0].url, `/api/headless/v1/bundles/42/products${query}`);
  });
}

test("a base URL may end in a slash", () =>
  serving([OK], async ({ baseUrl, requests }) => {
    await clientOf(`${baseUrl}/`).bundles();
    assert.equal(requests[0].url, "/api/headless/v1/bundles");
  }));

test("a key that a header cannot have is refused at once", () => {
  assert.throws(() => clientOf("http://127.0.0.1", { apiKey: "bnd_test_☕" }), TypeError);
});

for (const [options, missing] of [
  [undefined, "baseUrl and apiKey"],
  [{}, "baseUrl and apiKey"],
  [{ baseUrl: "https://bundles.example/api/headless/v1" }, "apiKey"],
  [{ baseUrl: "", apiKey: "bnd_test_key" }, "baseUrl"],
]) {
  test(`createClient(${JSON.stringify(options)}) says what is missing, and shows the call`, () => {
    assert.throws(() => createClient(options), {
      name: "TypeError",
      message:
        `createClient needs ${missing}, as in ` +
        'createClient({ baseUrl: "https://bundles.example/api/headless/v1", apiKey: "bnd_live_…" }).',
    });
  });
}

// Idempotency keys

const configure = (client) => client.configure(42, BODY);
const keysOf = (requests) => requests.map(({ headers }) => headers["idempotency-key"]);

test("all tries have the same key, the next call another", async () => {
  const answers = [hangUp, refusal(429, "rate_limited", AT_ONCE), refusal(503, "storage_unavailable", AT_ONCE), OK];
  const { requests } = await calling(answers, async (client) => [await configure(client), await configure(client)]);
  const [first, ...others] = keysOf(requests);
  assert.match(first, KEY);
  assert.deepEqual(others.slice(0, 3), [first, first, first]);
  assert.match(others[3], KEY);
  assert.notEqual(others[3], first);
  assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
});

test("the caller can give a key", async () => {
  const answers = [hangUp, OK];
  const call = (client) => client.embed.configure(42, BODY, { idempotencyKey: "order-1" });
  assert.deepEqual(keysOf((await calling(answers, call)).requests), ["order-1", "order-1"]);
});

test("a page without https makes keys too", async (context) => {
  const { getRandomValues, subtle } = globalThis.crypto;
  const whole = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  context.after(() => Object.defineProperty(globalThis, "crypto", whole));
  const bare = { subtle, getRandomValues: getRandomValues.bind(globalThis.crypto) };
  Object.defineProperty(globalThis, "crypto", { value: bare, configurable: true });
  const { requests } = await calling([OK], async (client) => [await configure(client), await configure(client)]);
  const [one, other] = keysOf(requests);
  assert.match(one, KEY);
  assert.match(other, KEY);
  assert.notEqual(one, other);
});

test("only configure sends a key", async () => {
  const { requests } = await calling([OK], (client) => client.price(42, BODY));
  assert.deepEqual(keysOf(requests), [undefined]);
});

// Retries

for (const [name, answer] of [
  ["a connection that ends", hangUp],
  ["an incomplete response", breakOff],
  ["incomplete JSON", raw(200, "application/json", '{"id": 1')],
  ["an empty response", raw(200, "application/json", "")],
  ["a page of another server", raw(200, "text/html", "<h1>Log in to the hotel's network</h1>")],
  ["429", refusal(429, "rate_limited", AT_ONCE)],
  ["429 without Retry-After", refusal(429, "rate_limited")],
  ["502 with Retry-After", refusal(502, "platform_error", AT_ONCE)],
  ["503 with Retry-After", refusal(503, "platform_unavailable", AT_ONCE)],
  ["504 with Retry-After", refusal(504, "platform_timeout", AT_ONCE)],
  [
    "503 with a date in Retry-After",
    refusal(503, "platform_unavailable", { "Retry-After": new Date(0).toUTCString() }),
  ],
  ["503 of a proxy", (response) => response.writeHead(503, AT_ONCE).end("<h1>Soon</h1>")],
]) {
  for (const [kind, call] of [
    ["read", (client) => client.bundles()],
    ["price", (client) => client.price(42, BODY)],
    ["configure", configure],
  ]) {
    test(`retried: ${kind}, ${name}`, async () => {
      const { requests, value } = await calling([answer, OK], call);
      assert.equal(requests.length, 2);
      assert.deepEqual(value, { fine: true });
    });
  }
}

for (const [name, answer, status, code] of [
  ["400", refusal(400, "rules_not_met"), 400, "rules_not_met"],
  ["400 with Retry-After", refusal(400, "rules_not_met", AT_ONCE), 400, "rules_not_met"],
  ["403", refusal(403, "key_invalid"), 403, "key_invalid"],
  ["404", refusal(404, "not_found"), 404, "not_found"],
  ["413", refusal(413, "body_too_large"), 413, "body_too_large"],
  ["500", refusal(500, "internal_error"), 500, "internal_error"],
  ["503 without Retry-After", refusal(503, "platform_unavailable"), 503, "platform_unavailable"],
  ["a page with 404", raw(404, "text/html", "<h1>404</h1>"), 404, "invalid_response"],
  ["a page with 502", raw(502, "text/html", "<h1>Bad gateway</h1>"), 502, "invalid_response"],
  ["JSON of another server", json(403, { message: "Forbidden" }), 403, "invalid_response"],
]) {
  test(`not retried: ${name}`, async () => {
    const { requests, error } = await calling([answer, OK], configure);
    assert.equal(requests.length, 1);
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.status, error.code], [status, code]);
  });
}

test("after the last retry the call fails", async () => {
  const { requests, error } = await calling([refusal(429, "rate_limited", AT_ONCE)], configure, { retries: 2 });
  assert.equal(requests.length, 3);
  assert.equal(error.code, "rate_limited");
});

test("no retry with retries: 0", async () => {
  const { requests, error } = await calling([hangUp], configure, { retries: 0 });
  assert.equal(requests.length, 1);
  assert.ok(error instanceof NetworkError);
});

test("no retry after a longer Retry-After than maxWaitMs", async () => {
  const { requests, error } = await calling(
    [refusal(503, "platform_not_connected", { "Retry-After": "60" })],
    configure,
  );
  assert.equal(requests.length, 1);
  assert.equal(error.retryAfter, 60);
});

test("a retry waits for Retry-After", async () => {
  const started = performance.now();
  const { value } = await calling([refusal(429, "rate_limited", { "Retry-After": "1" }), OK], configure);
  assert.ok(performance.now() - started >= 1000);
  assert.deepEqual(value, { fine: true });
});

// Failures

test("a refusal has all its fields", async () => {
  const details = [{ path: "limitRules.0", code: "limit_not_met", message: "Choose at least 2." }];
  const { error } = await calling([refusal(400, "rules_not_met", { "Retry-After": "7" }, { details })], configure);
  assert.ok(error instanceof Error);
  const { name, message, status, code, requestId, retryAfter } = error;
  assert.deepEqual(
    { name, message, status, code, requestId, retryAfter, details: error.details },
    {
      name: "ServiceError",
      message: "Because of rules_not_met.",
      status: 400,
      code: "rules_not_met",
      requestId: "r-1",
      retryAfter: 7,
      details,
    },
  );
});

test("a refusal has the limit on a costly result, or null", async () => {
  const { error } = await calling(
    [refusal(429, "rate_limited", { "Retry-After": "120" }, { limit: "ghost_variants" })],
    configure,
  );
  assert.equal(error.limit, "ghost_variants");
  const other = await calling([refusal(429, "rate_limited", { "Retry-After": "120" })], configure);
  assert.equal(other.error.limit, null);
});

for (const [retryAfter, seconds] of [
  ["7", 7],
  [new Date(Date.now() + 3_600_000).toUTCString(), 3600],
  [new Date(0).toUTCString(), 0],
  ["soon", null],
]) {
  test(`Retry-After: ${retryAfter}`, async () => {
    const { error } = await calling([refusal(400, "rules_not_met", { "Retry-After": retryAfter })], configure);
    const found = error.retryAfter;
    assert.ok(found === seconds || (seconds === 3600 && found > 3000 && found <= 3600), `${found} seconds`);
  });
}

for (const [name, answer, requestId] of [
  ["a page", raw(200, "text/html", "<h1>Hello</h1>"), null],
  ["nothing", raw(200, "application/json", ""), null],
  ["an incomplete body", breakOff, null],
  ["null", raw(200, "application/json", "null"), null],
  ["text", raw(200, "application/json", '"text"'), null],
  [
    "a page of the service's proxy",
    (response) => response.writeHead(502, { "X-Request-Id": "r-2" }).end("Bad gateway"),
    "r-2",
  ],
]) {
  test(`invalid response: ${name}`, async () => {
    const { error } = await calling([answer], (client) => client.bundles(), { retries: 1 });
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "invalid_response");
    assert.equal(error.requestId, requestId);
    assert.deepEqual(error.details, []);
    assert.ok(error.cause instanceof Error);
  });
}

test("an unreachable service is a NetworkError", async () => {
  const { baseUrl } = await serving([OK], (server) => server);
  const error = await clientOf(baseUrl)
    .bundles()
    .catch((one) => one);
  assert.ok(error instanceof NetworkError);
  assert.deepEqual([error.name, error.timedOut], ["NetworkError", false]);
  assert.ok(error.cause instanceof TypeError);
});

for (const [name, answer] of [
  ["no answer", keepSilent],
  ["half an answer", stall],
]) {
  test(`timeout: ${name}`, async () => {
    const { requests, error } = await calling([answer], configure, { timeoutMs: IMPATIENT_MS, retries: 1 });
    assert.equal(requests.length, 2);
    assert.equal(new Set(keysOf(requests)).size, 1);
    assert.ok(error instanceof NetworkError);
    assert.equal(error.timedOut, true);
  });
}

test("a retry after a timeout succeeds", async () => {
  const { value } = await calling([keepSilent, OK], configure, { timeoutMs: IMPATIENT_MS });
  assert.deepEqual(value, { fine: true });
});

test("the deadline ends a try", async () => {
  const fetch = () => new Promise(() => {});
  const error = await clientOf("http://127.0.0.1", { fetch, timeoutMs: 60_000, deadlineMs: 10 })
    .bundles()
    .catch((one) => one);
  assert.equal(error.timedOut, true);
});

test("no retry that would begin after the deadline", async () => {
  const { requests, error } = await calling([refusal(429, "rate_limited", { "Retry-After": "9" })], configure, {
    deadlineMs: 8000,
  });
  assert.equal(requests.length, 1);
  assert.equal(error.code, "rate_limited");
});

test("the deadline does not shorten a call that succeeds", async () => {
  const { value } = await calling([hangUp, OK], configure, { deadlineMs: 60_000 });
  assert.deepEqual(value, { fine: true });
});

test("a timeout does not rely on fetch", async () => {
  const client = clientOf("http://127.0.0.1", { fetch: () => new Promise(() => {}), timeoutMs: 10, retries: 0 });
  const error = await client.bundles().catch((one) => one);
  assert.equal(error.timedOut, true);
});

// Signals

test("an aborted signal sends nothing", async () => {
  const reason = new Error("enough");
  const { requests, error } = await calling([OK], (client) => client.bundles({ signal: AbortSignal.abort(reason) }));
  assert.equal(requests.length, 0);
  assert.equal(error, reason);
});

for (const [name, answer] of [
  ["before the response", keepSilent],
  ["during the response", stall],
]) {
  test(`aborted ${name}`, async () => {
    const abort = new AbortController();
    const { requests, error } = await calling(
      [answer],
      async (client, { once }) => {
        const call = client.configure(42, BODY, { signal: abort.signal });
        await once(1);
        setImmediate(() => abort.abort());
        return call;
      },
      { retries: 0 },
    );
    assert.equal(requests.length, 1);
    assert.equal(error, abort.signal.reason);
    assert.equal(error.name, "AbortError");
    assert.deepEqual(getEventListeners(abort.signal, "abort"), []);
  });
}

test("aborted while it waits to retry", async () => {
  const abort = new AbortController();
  let tries = 0;
  const fetch = async () => {
    tries += 1;
    setTimeout(() => abort.abort(), 20); // by then the immediate response has been read
    return Response.json({ error: "Wait.", code: "rate_limited" }, { status: 429, headers: { "Retry-After": "5" } });
  };
  const started = performance.now();
  const error = await clientOf("http://127.0.0.1", { fetch })
    .bundles({ signal: abort.signal })
    .catch((one) => one);
  assert.equal(error, abort.signal.reason);
  assert.equal(tries, 1);
  assert.ok(performance.now() - started < 4000);
  assert.deepEqual(getEventListeners(abort.signal, "abort"), []);
});

test("a call removes its listener from the signal", async () => {
  const { signal } = new AbortController();
  await calling([refusal(429, "rate_limited", AT_ONCE), OK], (client) => client.settings({ signal }));
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

// fetch

test("the page's fetch is looked up for each call", async (context) => {
  const own = globalThis.fetch;
  context.after(() => (globalThis.fetch = own));
  await serving([OK], async ({ baseUrl, requests }) => {
    const client = clientOf(baseUrl);
    await client.bundles();
    globalThis.fetch = async (url) => new Response(JSON.stringify([url]));
    assert.deepEqual(await client.bundles(), [`${baseUrl}/bundles`]);
    assert.equal(requests.length, 1);
  });
});

test("fetch is called without an object, as browsers require", async () => {
  const receivers = [];
  function fetch() {
    receivers.push(this);
    return Promise.resolve(new Response("[]"));
  }
  await clientOf("http://127.0.0.1", { fetch }).bundles();
  assert.deepEqual(receivers, [undefined]);
});
