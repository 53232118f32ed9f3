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
interface Times {
  proposal(window: Span, asked: Partial<Span>, now: number, limits: Limits): Span;
}
interface Results {
  resultsOf(
    windows: readonly object[],
    spots: readonly object[],
    wanted: Span & {
      readonly now: number;
      readonly personId: string;
      readonly limitsOf: () => Limits;
    },
  ): readonly (Span & {
    readonly isWhole: boolean;
    readonly isLater: boolean;
    readonly freeUntil: number;
  })[];
}
interface Spans {
  spanOf(
    when: "now" | "tonight" | "tomorrow",
    now: number,
    limits: Limits,
    zone: string,
  ): Span | undefined;
}

// By their addresses: the types of a browser are not those of the tests.
const screens = new URL("../../../src/web/screens/", import.meta.url);
const { proposal }: Times = await import(`${screens}claim/times.ts`);
const { resultsOf }: Results = await import(`${screens}now/results.ts`);
const { spanOf }: Spans = await import(`${screens}now/spans.ts`);

/** A day in winter; Berlin is an hour ahead of UTC. */
const utc = (time: string, day = "01"): number => Date.parse(`2030-02-${day}T${time}Z`);
const written = (span: Span | undefined): string =>
  span === undefined
    ? "nothing"
    : [span.start, span.end].map((it) => new Date(it).toISOString().slice(8, 16)).join(" ");

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
    ["tonight", "12:00", {}, "01T17:00 01T22:00"],
    ["tonight", "18:32", {}, "01T18:35 01T22:00"],
    ["tonight", "20:00", {}, "01T20:05 02T07:00"],
    ["tonight", "00:30", {}, "01T00:35 01T07:00"],
    ["tonight", "12:00", { longest_claim_minutes: 120 }, "01T17:00 01T19:00"],
    ["tonight", "12:00", { claim_notice_minutes: 1_440 }, "nothing"],
    ["tomorrow", "12:00", {}, "02T07:00 02T17:00"],
    ["tomorrow", "12:00", { longest_claim_minutes: 240 }, "02T07:00 02T11:00"],
    ["tomorrow", "23:30", {}, "03T07:00 03T17:00"],
  ] as const)("%s at %s UTC with %j are %s in Berlin", (when, now, limits, expected) => {
    expect(written(spanOf(when, utc(now), limits, "Europe/Berlin"))).toBe(expected);
  });
});

describe("a spot that is free for a period", () => {
  it.each<[string, Limits, boolean, string]>([
    ["begins with it", {}, false, "01T10:05 01T18:00"],
    [
      "begins later, where its section asks for notice",
      { claim_notice_minutes: 180 },
      true,
      "01T13:05 01T18:00",
    ],
  ])("%s", (_, limits, isLater, span) => {
    const window = { spot_id: "a", start_time: "2030-02-01T08:00Z", end_time: "2030-02-01T20:00Z" };
    const spot = { id: "a", owner_id: "o", spot_number: "A-1", is_verified: true };
    const period = { start: utc("10:05"), end: utc("18:00") };
    const wanted = { ...period, now: utc("10:01"), personId: "p", limitsOf: () => limits };
    const [result] = resultsOf([window], [spot], wanted);
    expect(result).toMatchObject({ isWhole: true, isLater });
    expect(written(result)).toBe(span);
  });

  it("is there once for each part of a window that is free, and says until when", () => {
    const at = (time: string) => `2030-02-01T${time}Z`;
    const window = {
      id: "w",
      spot_id: "a",
      start_time: at("08:00"),
      end_time: at("20:00"),
      free: [
        { start_time: at("08:00"), end_time: at("12:00") },
        { start_time: at("13:00"), end_time: at("20:00") },
      ],
    };
    const spot = { id: "a", owner_id: "o", spot_number: "A-1", is_verified: true };
    const found = (start: string, end: string) => {
      const wanted = { start: utc(start), end: utc(end), now: utc("07:00"), limitsOf: () => ({}) };
      return resultsOf([window], [spot], { ...wanted, personId: "p" }).map(
        ({ isWhole, freeUntil, ...span }) =>
          `${written(span)} ${isWhole} ${new Date(freeUntil).getUTCHours()}`,
      );
    };
    expect(found("09:00", "11:00")).toEqual(["01T09:00 01T11:00 true 12"]);
    expect(found("10:00", "16:00")).toEqual([
      "01T13:00 01T16:00 false 20",
      "01T10:00 01T12:00 false 12",
    ]);
    expect(found("12:00", "13:00")).toEqual([]);
  });
});
