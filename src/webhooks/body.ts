/** An event in the form in which it is sent. */
export interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  /** The subject of the event, as the API shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a message for people contains in addition to the event. */
interface EventContext {
  readonly building: string;
  readonly timeZone: string;
  readonly spotNumber?: string | undefined;
}

export type WebhookFormat = "event" | "chat" | "teams";

/** Receivers refuse longer bodies (Standard Webhooks). */
const MOST_BYTES = 20_000;

export function bodyOf(format: WebhookFormat, event: SentEvent, place: EventContext): string {
  if (format === "event") return eventBody(event);
  return JSON.stringify((format === "teams" ? teamsBody : chatBody)(event, place));
}

/**
 * `{ type, timestamp, data }`. If that is too long, the longest members of `data` are left out, and
 * `left_out` names them. The receiver can read them by the id.
 */
function eventBody({ type, timestamp, data }: SentEvent): string {
  const bySize = Object.keys(data).toSorted((a, b) => sizeOf(data[b]) - sizeOf(data[a]));
  for (let left = 0; ; left += 1) {
    const left_out = bySize.slice(0, left);
    const kept = Object.entries(data).filter(([name]) => !left_out.includes(name));
    const shown = { ...Object.fromEntries(kept), ...(left > 0 && { left_out }) };
    const body = JSON.stringify({ type, timestamp, data: shown });
    if (Buffer.byteLength(body) < MOST_BYTES || left === bySize.length) return body;
  }
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** For Slack and Mattermost. */
const chatBody = (event: SentEvent, place: EventContext) => ({
  text: lineOf(event, place, plain),
});

/** For a workflow of Teams: an adaptive card. Its text runs show typed text unchanged. */
const teamsBody = (event: SentEvent, place: EventContext) => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.2",
        body: [
          {
            type: "RichTextBlock",
            inlines: [{ type: "TextRun", text: lineOf(event, place, (it) => it) }],
          },
        ],
      },
    },
  ],
});

/** One line with the place, the event, the spot or person, and the start and end. */
function lineOf(
  { type, data }: SentEvent,
  { building, timeZone, spotNumber }: EventContext,
  typed: (text: string) => string,
): string {
  const { spot_number = spotNumber, full_name, start_time, end_time } = data;
  return [
    `${typed(building)}: ${type.replaceAll(/[._]/g, " ")}`,
    ...[spot_number, full_name].filter((it) => typeof it === "string").map(typed),
    ...spanOf(start_time, end_time, timeZone),
  ].join(", ");
}

function spanOf(start: unknown, end: unknown, timeZone: string): readonly string[] {
  if (typeof start !== "string" || typeof end !== "string") return [];
  // The Swedish format is 2030-01-01 10:00, as in notifications.
  const moment = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone,
  });
  return [`from ${moment.format(new Date(start))} to ${moment.format(new Date(end))} ${timeZone}`];
}

/** Escapes typed text, so that it mentions nobody, links nowhere and formats nothing. */
const plain = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[@[\]*~`|]|:(?=\/)/g, "$&\u200b"); // a zero-width space
