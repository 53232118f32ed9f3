import { describe, expect, it } from "@jest/globals";

interface Span {
  readonly start: number;
  readonly end: number;
}
interface Limits {
  readonly claim_notice_minutes?: number;
  readonly shortest_claim_minutes?: number;
  readonly longest_claim_minutes?: number;
}
/** A claim goes on until then, where the spot is free until then. */
interface Wanted extends Span {
  readonly until?: number;
}
interface Times {
  proposal(window: Span, asked: Partial<Span>, now: number, limits: Limits): Span;
}
interface Results {
  resultsOf(
    windows: readonly object[],
    spots: readonly object[],
    wanted: Wanted & {
      readonly now: number;
      readonly personId: string;
      readonly limitsOf: () => Limits;
      readonly favorites: ReadonlySet<string>;
      readonly section: string;
    },
  ): readonly (Span & {
    readonly spot: { readonly spot_number: string };
    readonly isWhole: boolean;
    readonly isLater: boolean;
    readonly freeUntil: number;
  })[];
}
interface Spans {
  spanOf(
    when: "now" | "tonight" | "overnight" | "tomorrow",
    now: number,
    limits: Limits,
    zone: string,
  ): Wanted | undefined;
}

// By their addresses: the types of a browser are not those of the tests.
const screens = new URL("../../../src/web/screens/", import.meta.url);
const { proposal }: Times = await import(`${screens}claim/times.ts`);
const { resultsOf }: Results = await import(`${screens}now/results.ts`);
const { spanOf }: Spans = await import(`${screens}now/spans.ts`);

/** A day in winter; Berlin is an hour ahead of UTC. */
const utc = (time: string, day = "01"): number => Date.parse(`2030-02-${day}T${time}Z`);
const written = (span: Wanted | undefined): string =>
  span === undefined
    ? "nothing"
    : [span.start, span.end, span.until ?? span.end]
        .filter((it, at, all) => all.indexOf(it) === at)
        .map((it) => new Date(it).toISOString().slice(8, 16))
        .join(" ");

describe("the times that are proposed to somebody who claims", () => {
  const window = { start: utc("08:00"), end: utc("20:00") };
  const at = (time: string) => ({ start: utc(time) });

  it.each<[string, string, Partial<Span>, Limits, string]>([
    ["two hours of a window to come", "07:00", {}, {}, "01T08:00 01T10:00"],
    ["from the present on", "10:03", {}, {}, "01T10:05 01T12:15"],
    ["from the moment that was tapped", "07:00", at("13:30"), {}, "01T13:30 01T15:30"],
    ["the last hours, near the end", "07:00", at("19:45"), {}, "01T18:00 01T20:00"],
    ["what is left, if less", "19:00", at("19:30"), {}, "01T19:05 01T20:00"],
    ["no moment that is over", "10:03", at("09:00"), {}, "01T10:05 01T12:15"],
    ["what the limits allow", "07:00", {}, { longest_claim_minutes: 90 }, "01T08:00 01T09:30"],
    ["what the limits ask for", "07:00", {}, { shortest_claim_minutes: 180 }, "01T08:00 01T11:00"],
    ["after the notice", "07:00", {}, { claim_notice_minutes: 120 }, "01T09:05 01T11:15"],
    [
      "what was dragged over, as a whole",
      "07:00",
      { start: utc("09:00"), end: utc("17:00") },
      { longest_claim_minutes: 90 },
      "01T09:00 01T17:00",
    ],
    [
      "nothing outside of the window",
      "07:00",
      { start: utc("02:00"), end: utc("03:00") },
      {},
      "01T08:00 01T10:00",
    ],
  ])("are %s", (_, now, asked, limits, expected) => {
    expect(written(proposal(window, asked, utc(now), limits))).toBe(expected);
  });

  it("are whole minutes, as forms show them", () => {
    const { start } = proposal({ ...window, start: utc("08:00:30") }, {}, utc("07:00"), {});
    expect(start).toBe(utc("08:01"));
  });
});

describe("the hours that people mean by", () => {
  it.each([
    ["now", "12:02", {}, "01T12:05 01T14:15"],
    ["now", "12:02", { longest_claim_minutes: 60 }, "01T12:05 01T13:05"],
    ["now", "12:02", { claim_notice_minutes: 60 }, "01T13:05 01T15:15"],
    ["tonight", "12:00", {}, "01T17:00 01T22:00 02T07:00"],
    ["tonight", "18:32", {}, "01T18:35 01T22:00 02T07:00"],
    ["tonight", "21:15", {}, "01T21:20 01T22:00 02T07:00"],
    ["tonight", "21:45", {}, "nothing"],
    ["tonight", "00:30", {}, "01T17:00 01T22:00 02T07:00"],
    ["tonight", "12:00", { longest_claim_minutes: 480 }, "01T17:00 01T22:00 02T01:00"],
    ["tonight", "12:00", { longest_claim_minutes: 120 }, "01T17:00 01T19:00"],
    ["tonight", "12:00", { claim_notice_minutes: 1_440 }, "nothing"],
    ["overnight", "12:00", {}, "01T19:00 02T07:00"],
    ["overnight", "21:45", {}, "01T21:50 02T07:00"],
    ["overnight", "00:30", {}, "01T00:35 01T07:00"],
    ["overnight", "04:30", {}, "01T19:00 02T07:00"],
    ["overnight", "12:00", { longest_claim_minutes: 480 }, "01T19:00 02T03:00"],
    ["tomorrow", "12:00", {}, "02T07:00 02T17:00"],
    ["tomorrow", "12:00", { longest_claim_minutes: 240 }, "02T07:00 02T11:00"],
    ["tomorrow", "23:30", {}, "03T07:00 03T17:00"],
  ] as const)("%s at %s UTC with %j are %s in Berlin", (when, now, limits, expected) => {
    expect(written(spanOf(when, utc(now), limits, "Europe/Berlin"))).toBe(expected);
  });
});

describe("what is free for a period", () => {
  const at = (time: string) => (time.length > 5 ? `2030-02-${time}Z` : `2030-02-01T${time}Z`);
  const spotAt = (spot_number: string, more: object = {}) => ({
    id: spot_number,
    owner_id: "o",
    spot_number,
    building_section: spot_number.slice(0, 1),
    is_verified: true,
    ...more,
  });
  /** A window of a spot, of which these spans are free. */
  const window = (spot_id: string, ...free: readonly (readonly [from: string, to: string])[]) => {
    const spans = free.map(([from, to]) => ({ start_time: at(from), end_time: at(to) }));
    const [start_time, end_time] = [spans.at(0)?.start_time, spans.at(-1)?.end_time];
    return { id: `w ${spot_id}`, spot_id, start_time, end_time, free: spans };
  };
  const usual = { now: utc("07:00"), personId: "p", favorites: new Set<string>(), section: "" };
  const anyTime = { ...usual, limitsOf: () => ({}) };
  const period = (start: string, end: string) => ({ start: utc(start), end: utc(end) });

  it.each<[string, Limits, boolean, string]>([
    ["begins with it", {}, false, "01T10:05 01T18:00"],
    [
      "begins later, where its section asks for notice",
      { claim_notice_minutes: 180 },
      true,
      "01T13:05 01T18:00",
    ],
  ])("%s", (_, limits, isLater, span) => {
    const wanted = { ...usual, ...period("10:05", "18:00"), now: utc("10:01") };
    const found = resultsOf([window("A-1", ["08:00", "20:00"])], [spotAt("A-1")], {
      ...wanted,
      limitsOf: () => limits,
    });
    expect(found).toMatchObject([{ isWhole: true, isLater }]);
    expect(written(found[0])).toBe(span);
  });

  it("is there once for each spot, with the longest part, and says until when", () => {
    const windows = [window("A-1", ["08:00", "12:00"], ["13:00", "20:00"])];
    const found = (start: string, end: string) =>
      resultsOf(windows, [spotAt("A-1")], { ...anyTime, ...period(start, end) }).map(
        ({ isWhole, freeUntil, start, end }) =>
          `${written({ start, end })} ${isWhole} ${new Date(freeUntil).getUTCHours()}`,
      );
    expect(found("09:00", "11:00")).toEqual(["01T09:00 01T11:00 true 12"]);
    expect(found("10:00", "16:00")).toEqual(["01T13:00 01T16:00 false 20"]);
    expect(found("12:00", "13:00")).toEqual([]);
  });

  it("goes on until the morning where it is free until then, and the limits allow it", () => {
    const wanted = {
      ...anyTime,
      start: utc("17:00"),
      end: utc("22:00"),
      until: utc("07:00", "02"),
    };
    const windows = [
      window("A-1", ["17:00", "02T10:00"]),
      window("A-2", ["16:00", "22:00"]),
      window("A-3", ["17:00", "23:30"]),
      window("A-4", ["17:00", "20:00"]),
    ];
    const spots = ["A-1", "A-2", "A-3", "A-4"].map((number) => spotAt(number));
    const spansOf = (limits: Limits) =>
      resultsOf(windows, spots, { ...wanted, limitsOf: () => limits }).map(
        ({ spot, start, end, isWhole }) =>
          `${spot.spot_number} ${written({ start, end })} ${isWhole}`,
      );
    expect(spansOf({})).toEqual([
      "A-1 01T17:00 02T07:00 true",
      "A-2 01T17:00 01T22:00 true",
      "A-3 01T17:00 01T23:30 true",
      "A-4 01T17:00 01T20:00 false",
    ]);
    expect(spansOf({ longest_claim_minutes: 360 }).slice(0, 2)).toEqual([
      "A-1 01T17:00 01T23:00 true",
      "A-2 01T17:00 01T22:00 true",
    ]);
  });

  it("comes in this order: whole, favourites, one's section, verified, number; the longest parts first", () => {
    const spots = [
      spotAt("B-10"),
      spotAt("B-9"),
      spotAt("A-1", { is_verified: false }),
      spotAt("A-2"),
      spotAt("C-1"),
      spotAt("B-1", { owner_id: "p" }),
      ...["A-3", "A-4", "A-5", "B-2", "B-3"].map((number) => spotAt(number)),
    ];
    const windows = [
      ...["B-10", "B-9", "A-1", "A-2", "C-1", "B-1"].map((id) => window(id, ["08:00", "18:00"])),
      window("A-3", ["08:00", "10:00"]),
      window("A-4", ["08:00", "15:00"]),
      window("A-5", ["09:00", "18:00"]),
      window("B-2", ["09:00", "18:00"]),
      window("B-3", ["17:00", "18:00"]),
    ];
    const favorites = new Set(["C-1", "B-3"]);
    const wanted = { ...anyTime, ...period("08:00", "18:00"), favorites, section: "A" };
    const found = resultsOf(windows, spots, wanted).map(({ spot }) => spot.spot_number);
    const whole = ["C-1", "A-2", "A-1", "B-9", "B-10"];
    // A favourite that is free for an hour is no help to somebody who needs ten.
    expect(found).toEqual([...whole, "A-5", "A-4", "B-2", "B-3", "A-3"]);
  });
});
