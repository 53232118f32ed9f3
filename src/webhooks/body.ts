import { chatBody, teamsBody } from "./chat.ts";
import type { Place, SentEvent } from "./sent-event.ts";

export type Format = "event" | "chat" | "teams";

/** Receivers refuse longer bodies (Standard Webhooks). */
const MOST_BYTES = 20_000;

export function bodyOf(format: Format, event: SentEvent, place: Place): string {
  if (format === "event") return eventBody(event);
  return JSON.stringify((format === "teams" ? teamsBody : chatBody)(event, place));
}

/**
 * `{ type, timestamp, data }`. If that is too long, the longest members of `data` are left out, and
 * `left_out` names them. The receiver can read them by the id.
 */
function eventBody({ type, timestamp, data }: SentEvent): string {
  const members = Object.entries(data);
  const leftOut: string[] = [];
  for (;;) {
    const kept = Object.fromEntries(members.filter(([name]) => !leftOut.includes(name)));
    const body = JSON.stringify({
      type,
      timestamp,
      data: { ...kept, ...(leftOut.length > 0 && { left_out: leftOut }) },
    });
    const longest = Object.keys(kept).toSorted((a, b) => sizeOf(kept[b]) - sizeOf(kept[a]))[0];
    if (Buffer.byteLength(body) < MOST_BYTES || longest === undefined) return body;
    leftOut.push(longest);
  }
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
