/** A server that answers as a test tells it to, and remembers what it was asked. */

import { createServer } from "node:http";

/** An answer in JSON; `more` are headers. */
export function json(status, body, more = {}) {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...more });
    response.end(JSON.stringify(body));
  };
}

/** An answer of the service that is no success. */
export function refusal(status, code, more = {}, fields = {}) {
  return json(status, { error: `Because of ${code}.`, code, requestId: "r-1", ...fields }, more);
}

/** Bytes of whatever kind. */
export function raw(status, type, text) {
  return (response) => {
    response.writeHead(status, { "Content-Type": type });
    response.end(text);
  };
}

/** No answer: the connection ends. */
export function hangUp(response) {
  response.socket.destroy();
}

/** The beginning of an answer, and then the connection ends. */
export function breakOff(response) {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
  response.write('{"id": 1', () => response.socket.destroy());
}

/** Nothing ever. */
export function keepSilent() {}

/** The beginning of an answer, and nothing more. */
export function stall(response) {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.write('{"id": 1');
}

/**
 * Runs `use` with a server whose first request gets the first of these answers, and so on; the last is for all that follow.
 * `asked` are the requests: method, url, headers, body. `once(count)` resolves when so many have come.
 */
export async function serving(answers, use) {
  const asked = [];
  const waiting = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    answers[Math.min(asked.length, answers.length) - 1](response);
    waiting.filter(({ count }) => count === asked.length).forEach(({ resolve }) => resolve());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}/api/headless/v1`;
  try {
    return await use({ baseUrl, asked, once: (count) => new Promise((resolve) => waiting.push({ count, resolve })) });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
