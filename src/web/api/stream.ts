import { createParser } from "eventsource-parser";
import { settings } from "../settings.ts";
import { accessToken, replaceToken } from "../sign-in/access-token.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { followed, lost, type Topic, touched } from "./live.ts";
import { retryAfter } from "./problem.ts";
import { watchSilence } from "./silence.ts";

/**
 * What others change, as it happens: GET /events. Without it the page reads again each minute. The
 * browser's own EventSource sends no token.
 */

/** What was heard of. */
export interface LiveEvent {
  readonly type: string;
  readonly data: unknown;
}

/** What an event makes old, by the first word of its type. */
const topicsOf: Readonly<Record<string, readonly Topic[]>> = {
  profile: ["profiles"],
  spot: ["spots"],
  availability: ["availabilities"],
  pattern: ["patterns", "exceptions"],
  claim: ["claims", "availabilities"],
  report: ["spotReports"],
  building: ["building"],
  access: ["spotAccess"],
  notification: ["notifications", "wishes"],
};

/** A tab that nobody looks at takes a connection of the others, of which a browser has six. */
const HIDDEN_FOR = 15_000;
/** The service sends something every twenty seconds. */
const SILENCE = 50_000;
const LONGEST_PAUSE = 60_000;
/** Where the service has no streams, or not for this person. */
const GIVEN_UP_FOR = 10 * 60_000;

/** Follows the stream, as long as somebody looks at the page, until the returned function is called. */
export function followEvents(hear: (event: LiveEvent) => void): () => void {
  let leaving: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let last: string | undefined;

  async function follow(leave: AbortSignal): Promise<void> {
    for (let failures = 0; !leave.aborted; ) {
      const begun = Date.now();
      const again = await listen(leave).catch((error: unknown) => {
        if (error instanceof SignInFailure) return GIVEN_UP_FOR;
        return 0;
      });
      lost();
      // One that was there for a while had not failed.
      failures = Date.now() - begun > SILENCE ? 0 : failures + 1;
      const backoff = Math.min(2 ** failures * 500, LONGEST_PAUSE) * (0.5 + Math.random());
      await pause(Math.max(again, backoff), leave);
    }
  }

  /** @returns how long the service asks to wait */
  async function listen(leave: AbortSignal): Promise<number> {
    const token = await accessToken();
    const watch = watchSilence(SILENCE);
    const signal = AbortSignal.any([leave, watch.signal]);
    try {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(last !== undefined && { "Last-Event-ID": last }),
      };
      const response = await fetch(`${settings.basePath}/events`, { headers, signal });
      if (response.status === 401) await replaceToken(token);
      if (!response.ok || response.body === null) return pauseAfter(response);
      followed(last !== undefined);
      const parser = createParser({ onEvent: note, onComment: noteBeginning });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return 0;
        watch.heard();
        parser.feed(value);
      }
    } finally {
      watch.end();
    }
  }

  /** The service says where it is before the first event, and now and then. */
  function noteBeginning(position: string): void {
    if (position !== "") last = position;
  }

  function note({
    id,
    event = "",
    data,
  }: {
    id?: string | undefined;
    event?: string | undefined;
    data: string;
  }): void {
    last = id ?? last;
    const topics = topicsOf[event.split(".")[0] ?? ""] ?? Object.values(topicsOf).flat();
    if (event === "reset") followed(false);
    touched(topics);
    hear(JSON.parse(data));
  }

  const begin = () => {
    if (leaving !== undefined) return;
    leaving = new AbortController();
    void follow(leaving.signal);
  };
  const end = () => {
    leaving?.abort();
    leaving = undefined;
  };
  const look = () => {
    clearTimeout(hiding);
    if (document.visibilityState === "visible") begin();
    else hiding = setTimeout(end, HIDDEN_FOR);
  };
  const anew = () => {
    end();
    look();
  };
  look();
  document.addEventListener("visibilitychange", look);
  addEventListener("online", anew);
  return () => {
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", anew);
    clearTimeout(hiding);
    end();
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
