/** A file for the calendar of a phone or computer (RFC 5545). */
interface CalendarEntry {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly title: string;
  readonly place: string;
}

const LONGEST_LINE = 74;

/** `20261121T083000Z` */
const written = (time: string): string => time.replace(/[-:]|\.\d+/g, "");

const escaped = (text: string): string =>
  text.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r?\n/g, "\\n");

/** Lines of 75 bytes at most; a line that goes on begins with a space. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const lines = [""];
  for (const character of line) {
    const current = lines.length - 1;
    if (encoder.encode(lines[current] + character).length > LONGEST_LINE)
      lines.push(` ${character}`);
    else lines[current] += character;
  }
  return lines.join("\r\n");
}

export const calendarFile = ({ id, start, end, title, place }: CalendarEntry): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Parking Spot Sharing//EN",
    "BEGIN:VEVENT",
    `UID:${id}`,
    `DTSTAMP:${written(start)}`,
    `DTSTART:${written(start)}`,
    `DTEND:${written(end)}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(place)}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(folded)
    .join("\r\n");
