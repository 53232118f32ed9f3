import { describe, expect, it } from "@jest/globals";
import { timesIn } from "../../src/texts/times.ts";

/** Versions of Unicode's data differ in the spaces around a dash, and in a comma before a year. */
const plainly = (text: string) =>
  text
    .replaceAll(/\s*–\s*/g, "–")
    .replaceAll(/\s/g, " ")
    .replaceAll(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun),/g, "$1");
const now = Date.parse("2027-10-20T10:00:00Z");
const of = (language: "en" | "de", zone = "Europe/Berlin") => {
  const { span, hours, moment } = timesIn(language, zone, undefined, now);
  return {
    span: (start: string, end: string) => plainly(span(start, end)),
    hours: (start: string, end: string) => plainly(hours(start, end)),
    moment: (at: string) => plainly(moment(at)),
  };
};

describe("a time that the clock shows twice", () => {
  it.each([
    ["2027-10-31T00:30Z", "2027-10-31T01:15Z", "02:30 CEST–02:15 CET"],
    ["2027-10-31T00:30Z", "2027-10-31T01:30Z", "02:30 CEST–02:30 CET"],
    ["2027-10-31T00:00Z", "2027-10-31T02:00Z", "02:00 CEST–03:00 CET"],
    ["2027-10-30T23:00Z", "2027-10-31T00:30Z", "01:00 CEST–02:30 CEST"],
  ])("has its zone: %s to %s", (start, end, written) => {
    expect(of("en").hours(start, end)).toBe(written);
    expect(of("en").span(start, end)).toBe(`Sun 31 Oct, ${written}`);
  });

  it("has it as a moment, over midnight and in German", () => {
    expect(of("en").moment("2027-10-31T01:15Z")).toBe("Sun 31 Oct, 02:15 CET");
    expect(of("en").span("2027-10-30T18:00Z", "2027-10-31T01:15Z")).toBe(
      "Sat 30 Oct, 20:00 CEST–Sun 31 Oct, 02:15 CET",
    );
    expect(of("de").span("2027-10-31T00:30Z", "2027-10-31T01:15Z")).toBe(
      "So., 31. Okt., 02:30 MESZ–02:15 MEZ",
    );
  });

  it("is none an hour before and after", () => {
    expect(of("en").span("2027-10-30T23:00Z", "2027-10-31T02:00Z")).toBe("Sun 31 Oct, 01:00–03:00");
    expect(of("en").span("2027-03-28T00:30Z", "2027-03-28T01:30Z")).toBe("Sun 28 Mar, 01:30–03:30");
  });
});

it("a time of another year has its year", () => {
  expect(of("en").moment("2027-12-10T08:00Z")).toBe("Fri 10 Dec, 09:00");
  expect(of("en").moment("2033-12-10T08:00Z")).toBe("Sat 10 Dec 2033, 09:00");
  expect(of("en").span("2021-12-10T08:00Z", "2021-12-10T17:00Z")).toBe(
    "Fri 10 Dec 2021, 09:00–18:00",
  );
  expect(of("de").span("2021-12-10T08:00Z", "2021-12-10T17:00Z")).toBe(
    "Fr., 10. Dez. 2021, 09:00–18:00 Uhr",
  );
  expect(of("en").span("2027-12-31T20:00Z", "2028-01-01T07:00Z")).toBe(
    "Fri 31 Dec 2027, 21:00–Sat 1 Jan 2028, 08:00",
  );
});

describe("whole days", () => {
  it.each([
    ["2027-12-09T23:00Z", "2027-12-10T23:00Z", "Fri 10 Dec, all day", "Fr., 10. Dez., ganztägig"],
    ["2027-12-09T23:00Z", "2027-12-11T23:00Z", "10–11 Dec, all day", "10.–11. Dez., ganztägig"],
    [
      "2027-10-29T22:00Z",
      "2027-11-01T23:00Z",
      "30 Oct–1 Nov, all day",
      "30. Okt.–1. Nov., ganztägig",
    ],
    ["2027-12-30T23:00Z", "2027-12-31T23:00Z", "Fri 31 Dec, all day", "Fr., 31. Dez., ganztägig"],
  ])("are days: %s to %s", (start, end, en, de) => {
    expect([of("en").span(start, end), of("de").span(start, end)]).toEqual([en, de]);
  });

  it("are not what ends at another time", () => {
    expect(of("en").span("2027-12-09T23:00Z", "2027-12-10T22:59Z")).toBe("Fri 10 Dec, 00:00–23:59");
  });
});
