import type { Place, SentEvent } from "./sent-event.ts";

/** One line for Slack, Mattermost and Teams: where, what, which spot or person, and from when to when. */
export function chatText(
  { type, data }: SentEvent,
  { building, timeZone, spotNumber }: Place,
): string {
  const { spot_number = spotNumber, full_name, start_time, end_time } = data;
  return [
    `${plain(building)}: ${type.replaceAll(/[._]/g, " ")}`,
    ...[spot_number, full_name].filter((it) => typeof it === "string").map(plain),
    ...spanOf(start_time, end_time, timeZone),
  ].join(", ");
}

function spanOf(start: unknown, end: unknown, timeZone: string): readonly string[] {
  if (typeof start !== "string" || typeof end !== "string") return [];
  // Swedish writes 2030-01-01 10:00, as notifications do.
  const moment = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone,
  });
  return [`from ${moment.format(new Date(start))} to ${moment.format(new Date(end))} ${timeZone}`];
}

/** What people typed: it calls nobody, links nowhere and formats nothing. */
const plain = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[@[\]*~`|]|:(?=\/)/g, "$&\u200b"); // a space without width
