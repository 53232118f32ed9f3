import type { Place, SentEvent } from "./sent-event.ts";

/** For Slack and Mattermost. */
export const chatBody = (event: SentEvent, place: Place) => ({
  text: lineOf(event, place, plain),
});

/** For a workflow of Teams: an adaptive card. Its text runs show typed text unchanged. */
export const teamsBody = (event: SentEvent, place: Place) => ({
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
  { building, timeZone, spotNumber }: Place,
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
