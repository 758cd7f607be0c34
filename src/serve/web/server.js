// SPDX-License-Identifier: GPL-3.0-or-later
// Questions to the server.

/** The status of an answer that all searches that may run at once are running. */
const BUSY = 503;

/** The answer to a question, which is data for JSON or a file. Throws an `Error` with the server's reason and `isRefused` if it refuses. */
export async function ask(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** Runs a search, or a review by many of them, and calls `hear` with each of its events. Ends with the search, or when the signal aborts it. */
export async function search(request, hear, signal, path = "/api/search") {
  const response = await send(path, request, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    // An empty line ends an event; the last part may be incomplete.
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (event.startsWith("data:")) hear(JSON.parse(event.slice("data:".length)));
    }
  }
}

/** The reason why a server refuses. `isRefused` is false if it may answer later. */
export async function refusalOf(response) {
  const { error } = await response.json().catch(() => ({}));
  return Object.assign(new Error(error ?? `The server answers ${response.status}.`), { isRefused: response.status !== BUSY });
}

async function send(path, body, signal) {
  const isFile = body instanceof Blob;
  const options = body && {
    method: "POST",
    headers: { "Content-Type": isFile ? "application/octet-stream" : "application/json" },
    body: isFile ? body : JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, { ...options, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is halfply still running?");
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}
