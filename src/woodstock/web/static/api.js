// The server, as functions: JSON in and out, server-sent events, errors said in a toast.

import { toast } from "./dom.js";

/** What the server refused or could not do: `status`, and `body` as it was sent. */
export class ApiError extends Error {
  constructor(text, status, body) {
    super(text);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

async function answer(path, options, { quiet = false, signal } = {}) {
  let reply;
  try {
    reply = await fetch(path, { ...options, signal, credentials: "same-origin" });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    const lost = new ApiError("The server does not answer. Is it still running?", 0, null);
    if (!quiet) toast(lost.message, "bad");
    throw lost;
  }
  let body = null;
  try {
    body = await reply.json();
  } catch {
    body = null;
  }
  if (!reply.ok) {
    const text = (body && body.error) || `The server answered ${reply.status}.`;
    if (!quiet) toast(text, "bad");
    throw new ApiError(text, reply.status, body);
  }
  return body;
}

/** Fetch JSON. `get("/api/games")`; `{quiet: true}` shows no toast, `{signal}` may abort. */
export function get(path, options = {}) {
  return answer(path, { headers: { Accept: "application/json" } }, options);
}

/** Post JSON and get JSON back; errors are thrown as ApiError, and shown unless `quiet`. */
export function post(path, body, options = {}) {
  return answer(
    path,
    {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body ?? {}),
    },
    options,
  );
}

/** Listen to server-sent events: `events(path, {table: view => ..., error: () => ...})`.
 *
 * Data is parsed as JSON. The browser reconnects by itself; where it gave up (the server answered
 * with an error) it is tried again every few seconds. `open` and `error` tell of the connection;
 * `error` gets true when a new connection will be tried. Returns an object with `close()`.
 */
export function events(path, handlers) {
  let source = null;
  let timer = 0;
  let closed = false;
  let failures = 0;

  const connect = () => {
    source = new EventSource(path);
    source.addEventListener("open", () => {
      failures = 0;
      handlers.open?.();
    });
    source.addEventListener("error", (event) => {
      // A server-sent event may be called "error" too: that one has data.
      if (event.data !== undefined) {
        handlers.error?.(true, read(event.data));
        return;
      }
      failures += 1;
      const again = failures < 200;
      handlers.error?.(again);
      if (!closed && again && source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(connect, Math.min(1000 * failures, 5000));
      }
    });
    for (const [name, handler] of Object.entries(handlers)) {
      if (name === "open" || name === "error") continue;
      source.addEventListener(name, (event) => {
        if (!closed) handler(read(event.data));
      });
    }
  };
  connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      source.close();
    },
  };
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
