import { createParser } from "eventsource-parser";
import { settings } from "../settings.ts";
import { accessToken, replaceToken } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { keepNothing } from "../sign-in/kept.ts";
import { currentTokens } from "../sign-in/tokens.ts";
import { rightsRefused } from "./connection.ts";
import { followed, type LiveEvent, lost, type Topic, touched } from "./live.ts";
import { retryAfter } from "./problem.ts";
import { watchSilence } from "./send.ts";

/**
 * Receives changes by others from GET /events. Without it, the page reads again each minute. The
 * browser's own EventSource sends no token. A browser has six connections to a host, so a person's
 * tabs share a stream: the tab that holds the lock reads it and informs the others.
 */

/** The topics that an event affects, by the first word of its type. */
const topicsOf: Readonly<Record<string, readonly Topic[]>> = {
  profile: ["profiles"],
  spot: ["spots"],
  availability: ["availabilities"],
  pattern: ["patterns", "exceptions"],
  claim: ["claims", "availabilities"],
  report: ["spot-reports"],
  building: ["building"],
  access: ["spotAccess"],
  notification: ["notifications", "wishes"],
};

/** The messages between tabs, from the tab with the stream, and the question of a new tab. */
type Message =
  | { readonly what: "asked" }
  | { readonly what: "lost" }
  /** The stream is connected, and continues from this position. */
  | { readonly what: "followed" | "position"; readonly at?: string | undefined }
  | {
      readonly what: "event";
      readonly at?: string | undefined;
      readonly type: string;
      readonly data: string;
    };

/** A hidden tab leaves the stream to another after this time. */
const HIDDEN_FOR = 15_000;
/** The service sends something every twenty seconds. */
const SILENCE = 50_000;
const LONGEST_PAUSE = 60_000;
/** The pause if the service has no streams, or none for this person. */
const GIVEN_UP_FOR = 10 * 60_000;

/** Follows the stream while somebody looks at the page, until the returned function is called. */
export function followEvents(hear: (event: LiveEvent) => void): () => void {
  let leaving: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;
  let last: string | undefined;
  const name = `events of ${currentTokens()?.subject ?? crypto.randomUUID()}`;
  const others = new BroadcastChannel(name);
  others.onmessage = ({ data }) => receive(data);

  function send(message: Message): void {
    receive(message);
    others.postMessage(message);
  }

  function receive(message: Message): void {
    if (message.what === "asked") {
      if (isOpen) others.postMessage({ what: "followed", at: last } satisfies Message);
    } else if (message.what === "lost") lost();
    else {
      if (message.what === "followed") followed(message.at !== undefined && message.at === last);
      last = message.at ?? last;
      if (message.what === "event") handle(message.type, message.data);
    }
  }

  async function follow(leave: AbortSignal): Promise<void> {
    for (let failures = 0; !leave.aborted; ) {
      const startedAt = Date.now();
      const again = await listen(leave).catch((error: unknown) => {
        if (error instanceof SignInFailure) return GIVEN_UP_FOR;
        return 0;
      });
      isOpen = false;
      send({ what: "lost" });
      // A stream that lasted for a while was not a failure.
      failures = Date.now() - startedAt > SILENCE ? 0 : failures + 1;
      const backoff = Math.min(2 ** failures * 500, LONGEST_PAUSE) * (0.5 + Math.random());
      await pause(Math.max(again, backoff), leave);
    }
  }

  /** @returns the time that the service asks to wait */
  async function listen(leave: AbortSignal): Promise<number> {
    const token = await accessToken();
    const watch = watchSilence(SILENCE);
    leave.addEventListener("abort", watch.abort);
    try {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(last !== undefined && { "Last-Event-ID": last }),
      };
      const response = await fetch(`${settings.basePath}/events`, {
        headers,
        signal: watch.signal,
      });
      if (response.status === 401) await replaceToken(token);
      // The approval was withdrawn.
      if (response.status === 403) {
        keepNothing();
        rightsRefused.set(Date.now());
      }
      if (!response.ok || response.body === null) return pauseAfter(response);
      isOpen = true;
      send({ what: "followed", at: last });
      const parser = createParser({
        onEvent: ({ id: at, event: type = "", data }) => send({ what: "event", at, type, data }),
        // The service sends its position before the first event, and from time to time.
        onComment: (at) => at !== "" && send({ what: "position", at }),
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return 0;
        watch.heard();
        parser.feed(value);
      }
    } finally {
      leave.removeEventListener("abort", watch.abort);
      watch.end();
    }
  }

  function handle(type: string, data: string): void {
    const topics = topicsOf[type.split(".")[0] ?? ""];
    if (type === "reset") followed(false);
    const event: LiveEvent = JSON.parse(data);
    touched(topics ?? Object.values(topicsOf).flat(), topics && event);
    if (document.visibilityState === "visible") hear(event);
  }

  const start = () => {
    if (leaving !== undefined) return;
    leaving = new AbortController();
    const { signal } = leaving;
    // The request is rejected if the tab closes before its turn.
    navigator.locks.request(name, { signal }, () => follow(signal)).catch(() => {});
  };
  const stop = () => {
    leaving?.abort();
    leaving = undefined;
  };
  const update = () => {
    clearTimeout(hiding);
    if (document.visibilityState === "visible") start();
    else hiding = setTimeout(stop, HIDDEN_FOR);
  };
  const restart = () => {
    stop();
    update();
  };
  update();
  others.postMessage({ what: "asked" } satisfies Message);
  document.addEventListener("visibilitychange", update);
  addEventListener("online", restart);
  return () => {
    document.removeEventListener("visibilitychange", update);
    removeEventListener("online", restart);
    clearTimeout(hiding);
    stop();
    others.close();
  };
}

function pauseAfter(response: Response): number {
  const { status } = response;
  if (status === 401) return 0;
  if (status < 500 && status !== 429) return GIVEN_UP_FOR;
  return retryAfter(response);
}

function pause(milliseconds: number, leave: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    leave.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
