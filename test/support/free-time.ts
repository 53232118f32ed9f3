import { expect } from "@jest/globals";
import { type Claim, hours, type Spot, type Window } from "./building.ts";
import type { Answered } from "./exceptions.ts";
import type { Person } from "./person.ts";

export interface Times {
  readonly start_time: string;
  readonly end_time: string;
}
export interface Shown extends Window {
  /** Where a part of the window is free and a part is not; for its owner also where nothing is. */
  readonly free?: readonly Times[];
}

/** What is free of a window, as an answer shows it. */
export const freeOf = (window: Shown): readonly Times[] => {
  if (window.free) return window.free;
  return window.is_claimed ? [] : [window];
};

/** Spans that follow each other are one. */
export function joined(spans: readonly Times[]): readonly Times[] {
  const ordered = spans.toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  const whole: Times[] = [];
  for (const { start_time, end_time } of ordered) {
    const last = whole.at(-1);
    const isNext = last && Date.parse(last.end_time) === Date.parse(start_time);
    if (isNext) whole.splice(-1, 1, { start_time: last.start_time, end_time });
    else whole.push({ start_time, end_time });
  }
  return whole;
}

/** All windows of the spot that end in the future, as this person sees them. */
export async function shownOf(person: Person, { id }: Pick<Spot, "id">): Promise<readonly Shown[]> {
  const path = `/availabilities?spot_id=${id}&overlaps_start=${new Date().toISOString()}&limit=200`;
  const windows: Shown[] = [];
  for (let isWhole = false; !isWhole; ) {
    const { body } = await person.get<{ availabilities: Shown[]; total: number }>(
      `${path}&offset=${windows.length}`,
      200,
    );
    windows.push(...body.availabilities);
    isWhole = windows.length >= body.total || body.availabilities.length === 0;
  }
  return windows;
}

/** What is free of the spot, as this person sees it. */
export const freeSpans = async (person: Person, spot: Pick<Spot, "id">) =>
  joined((await shownOf(person, spot)).flatMap(freeOf));

/** The same by direct SQL as the API role. */
export async function freeSpansBySql(person: Person, { id }: Pick<Spot, "id">) {
  const { rows } = await person.sql<{ shown: Shown }>(
    `select jsonb_strip_nulls(to_jsonb(a)) as shown
       from api.list_availabilities() a
      where a.spot_id = $1
        and a.end_time > now()`,
    [id],
  );
  const iso = (time: string) => new Date(time).toISOString();
  return joined(
    rows
      .flatMap(({ shown }) => freeOf(shown))
      .map(({ start_time, end_time }) => ({
        start_time: iso(start_time),
        end_time: iso(end_time),
      })),
  );
}

const DAY = 86_400_000;
const clock = (time: string): string => time.slice(11).replace(/:00\.000Z$/, "");
const daysUntil = (time: string): number =>
  Math.floor((Date.parse(time) - Date.parse(`${hours(0).slice(0, 10)}T00:00:00Z`)) / DAY);

/** A time by the days until then and its clock in UTC: "3 08:00". */
export const timeText = (time: string): string => `${daysUntil(time)} ${clock(time)}`;
/** A span: "3 08:00-18:00", or "3 18:00-4 08:00". */
export const spanText = ({ start_time, end_time }: Times): string =>
  daysUntil(start_time) === daysUntil(end_time)
    ? `${timeText(start_time)}-${clock(end_time)}`
    : `${timeText(start_time)}-${timeText(end_time)}`;

/** What is free of the spot, in words, by REST and by SQL. */
export async function freeTime(person: Person, spot: Pick<Spot, "id">): Promise<string> {
  const spans = await freeSpans(person, spot);
  expect((await freeSpansBySql(person, spot)).map(spanText)).toEqual(spans.map(spanText));
  return spans.map(spanText).join(", ");
}

/** The time that is so many days ahead at this clock, as {@link timeText} has it. */
export const timeOf = (days: number, time: string): string =>
  new Date(Date.parse(`${hours(24 * days).slice(0, 10)}T${time}:00Z`)).toISOString();

/** From one time of a day to another of it, or of a later one. */
export const timesOn = (days: number, from: string, to: string, later = 0): Times => ({
  start_time: timeOf(days, from),
  end_time: timeOf(days + later, to),
});

/** Claims this time in the window in which it is free, as the person sees it; undefined where there is none. */
export async function take(
  person: Person,
  spot: Pick<Spot, "id">,
  { start_time, end_time }: Times,
): Promise<Claim | undefined> {
  const window = (await shownOf(person, spot)).find((it) =>
    freeOf(it).some((free) => free.start_time <= start_time && end_time <= free.end_time),
  );
  if (!window) return undefined;
  const body = { availability_id: window.id, start_time, end_time };
  const { claim } = (await person.post<{ claim: Claim }>("/claims", body, 201)).body;
  expect(claim.availability_id).toBe(window.id);
  return claim;
}

export const cancel = (person: Person, claim?: Claim) =>
  person.put(`/claims/${claim?.id}`, { status: "cancelled" }, 200);

/** A window by hand. */
export async function windowOn(
  owner: Person,
  { id }: Pick<Spot, "id">,
  { start_time, end_time }: Times,
): Promise<Window> {
  const body = { spot_id: id, start_time, end_time };
  return (await owner.post<{ availability: Window }>("/availabilities", body, 201)).body
    .availability;
}

const exception =
  (kind: "keep" | "share") =>
  async (owner: Person, { id }: Pick<Spot, "id">, times: Times): Promise<Answered> =>
    (await owner.post<Answered>("/exceptions", { kind, spot_id: id, ...times }, 201)).body;
/** The owner needs the spot. */
export const keep = exception("keep");
/** The owner is away, and shares all of the time. */
export const absence = exception("share");
