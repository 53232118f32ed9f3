import { basename } from "node:path";
import ical, {
  escape as escaped,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from "ical-generator";
import type { Route } from "../contract/route.ts";
import type { NamedMember } from "../contract/schemas.ts";
import type { Row } from "../database/transaction.ts";
import type { Language } from "../texts/kinds.ts";
import { moment, type Renderer } from "./json.ts";

/** A row by the names of its columns, as PostgreSQL writes their values. */
type NamedColumns = Readonly<Record<string, string | null>>;

interface Texts {
  readonly calendar: (building: string) => string;
  /** A claim by the person, and one of a spot of the person. */
  readonly made: (spot: string) => string;
  readonly received: (spot: string) => string;
  readonly owner: (person: string) => string;
  readonly claimer: (person: string) => string;
  readonly apartment: (number: string) => string;
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    calendar: (building: string) => `Parking: ${building}`,
    made: (spot: string) => `Parking on ${spot}`,
    received: (spot: string) => `${spot} is claimed`,
    owner: (person: string) => `Whose spot it is: ${person}`,
    claimer: (person: string) => `Who claimed it: ${person}`,
    apartment: (number: string) => `apartment ${number}`,
  },
  de: {
    calendar: (building: string) => `Parken: ${building}`,
    made: (spot: string) => `Parken auf ${spot}`,
    received: (spot: string) => `${spot} ist reserviert`,
    owner: (person: string) => `Wem der Platz gehört: ${person}`,
    claimer: (person: string) => `Wer reserviert hat: ${person}`,
    apartment: (number: string) => `Wohnung ${number}`,
  },
};

const textsIn = (language: unknown): Texts => (language === "de" ? texts.de : texts.en);

export const CALENDAR_TYPE = "text/calendar; charset=utf-8";

/** The rows of its first member as a calendar. The other member is the building. */
export function calendarRenderer({ path }: Route, members: readonly NamedMember[]): Renderer {
  const names = members.map(({ row }) => Object.keys(row.properties));
  const named = (row: Row, member: number): NamedColumns =>
    Object.fromEntries((names[member] ?? []).map((name, i) => [name, row[i] ?? null]));
  const file = { name: basename(path), type: CALENDAR_TYPE };
  return ([claims = [], buildings = []], { claim_id, language }) => {
    const [building] = buildings;
    if (building === undefined || (claim_id !== undefined && claims.length === 0)) return undefined;
    const rows = claims.map((row) => named(row, 0));
    return { body: calendarOf(rows, named(building, 1), language), file };
  };
}

/** What calendar apps are asked to wait before they look again. */
const REFRESH_SECONDS = 15 * 60;

/** RFC 5545, 3.3.8 */
const LARGEST_INTEGER = 2 ** 31 - 1;

/** A calendar has a component (RFC 5545, 3.6), also one without claims. */
const UTC = [
  ...["BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"],
  ...["TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE", ""],
].join("\r\n");

/**
 * The claims as a calendar of RFC 5545. All of it is made from the rows, so that the same rows always
 * give the same bytes.
 */
function calendarOf(
  claims: readonly NamedColumns[],
  { name, time_zone }: NamedColumns,
  language: unknown,
): string {
  const known = textsIn(language);
  const title = known.calendar(name ?? "");
  const calendar = ical({
    prodId: { company: "Parking Spot Sharing", product: "Calendar" },
    name: escaped(title, false), // the generator escapes the texts of events only
    ttl: REFRESH_SECONDS,
    events: claims.map((claim) => eventOf(claim, name ?? "", known)),
  });
  // The generator would write the times in this zone. It has it behind the events as a property of its
  // own, where RFC 5545 has none.
  const zone = `\r\nX-WR-TIMEZONE:${time_zone}`;
  const written = calendar.toString().replace("\r\nNAME:", (next) => zone + next);
  return `${claims.length > 0 ? written : written.replace("END:VCALENDAR", (end) => UTC + end)}\r\n`;
}

function eventOf(claim: NamedColumns, building: string, known: Texts): ICalEventData {
  const { id, is_own, status, spot_number, building_section } = claim;
  const isOwn = is_own === "t";
  const spot = spot_number ?? "";
  const [created, updated] = [timeOf(claim.created_at), timeOf(claim.updated_at)];
  const person = personOf(claim, known);
  return {
    id: id ?? "",
    start: timeOf(claim.start_time),
    end: timeOf(claim.end_time),
    stamp: updated,
    created,
    lastModified: updated,
    sequence: sequenceOf(created, updated),
    summary: isOwn ? known.made(spot) : known.received(spot),
    location: [building, building_section, spot_number].join(", "),
    description: person && (isOwn ? known.owner(person) : known.claimer(person)),
    status: status === "cancelled" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT, // who parks is not busy
  };
}

/** The other person, while there is one to talk to. No phone number: calendars are shared. */
function personOf(
  { full_name, apartment_number }: NamedColumns,
  { apartment }: Texts,
): string | null {
  if (apartment_number == null) return null;
  return [full_name, apartment(apartment_number)].filter(Boolean).join(", ");
}

const timeOf = (text: string | null | undefined): Date => new Date(JSON.parse(moment(text ?? "")));

/**
 * Grows with each change: milliseconds of the first twelve days, then tenths of a second, of which an
 * integer holds three more years.
 */
function sequenceOf(created: Date, updated: Date): number {
  const since = Math.max(updated.getTime() - created.getTime(), 0);
  const first = Math.min(since, 2 ** 30);
  return Math.min(first + Math.floor((since - first) / 100), LARGEST_INTEGER);
}
