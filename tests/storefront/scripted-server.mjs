/** A server that sends predefined responses and records the requests. */

import { createServer } from "node:http";

/** A JSON response; `more` are headers. */
export function json(status, body, more = {}) {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...more });
    response.end(JSON.stringify(body));
  };
}

/** An error response of the service. */
export function refusal(status, code, more = {}, fields = {}) {
  return json(status, { error: `Because of ${code}.`, code, requestId: "r-1", ...fields }, more);
}

/** A response of any content type. */
export function raw(status, type, text) {
  return (response) => {
    response.writeHead(status, { "Content-Type": type });
    response.end(text);
  };
}

/** Sends no response and closes the connection. */
export function hangUp(response) {
  response.socket.destroy();
}

/** Sends the beginning of a response, then closes the connection. */
export function breakOff(response) {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
  response.write('{"id": 1', () => response.socket.destroy());
}

/** Sends no response, and keeps the connection open. */
export function keepSilent() {}

/** Sends the beginning of a response, and keeps the connection open. */
export function stall(response) {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.write('{"id": 1');
}

/**
 * Runs `use` with a server that sends these responses in order, and repeats the last one. `requests` lists the requests: method, url,
 * headers, body. `once(count)` resolves when that number of requests has arrived.
 */
export async function serving(responses, use) {
  const requests = [];
  const waiting = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    responses[Math.min(requests.length, responses.length) - 1](response);
    for (const { count, resolve } of waiting) if (count === requests.length) resolve();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}/api/headless/v1`;
  try {
    return await use({
      baseUrl,
      requests,
      once: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
