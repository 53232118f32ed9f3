import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { loadMessages, t } from "../../../src/web/messages/translate.ts";
import { formatSpan, formatTimes, formatted } from "../../../src/web/time/format.ts";
import { setTimeZone } from "../../../src/web/time/zone.ts";

beforeAll(() => {
  jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-01T00:00:00Z"));
});
afterAll(() => {
  jest.restoreAllMocks();
});

const morning = "2026-11-23T08:30:00Z";
const evening = "2026-11-23T20:00:00Z";
const later = "2026-11-25T09:00:00Z";

/** Versions of Unicode's data differ in the spaces around a dash, and before AM. */
const plainly = (written: string) => written.replaceAll(/\s*–\s*/g, "–").replaceAll(/\s/g, " ");

it.each([
  [
    "de-AT",
    "Mo., 23. Nov., 08:30 Uhr",
    "Mo., 23. Nov., 08:30–20:00 Uhr",
    "Mo., 23. Nov., 08:30–Mi., 25. Nov., 09:00 Uhr",
    "08:30–20:00 Uhr",
  ],
  [
    "en-GB",
    "Mon 23 Nov, 08:30",
    "Mon 23 Nov, 08:30–20:00",
    "Mon 23 Nov, 08:30–Wed 25 Nov, 09:00",
    "08:30–20:00",
  ],
  [
    "en-US",
    "Mon, Nov 23, 8:30 AM",
    "Mon, Nov 23, 8:30 AM–8:00 PM",
    "Mon, Nov 23, 8:30 AM–Wed, Nov 25, 9:00 AM",
    "8:30 AM–8:00 PM",
  ],
])("times are written as people of %s write them", async (locale, moment, span, days, times) => {
  await loadMessages([locale]);

  expect(plainly(formatted("moment", morning))).toBe(moment);
  expect(plainly(formatSpan(morning, evening))).toBe(span);
  expect(plainly(formatSpan(morning, later))).toBe(days);
  expect(plainly(formatTimes(morning, evening))).toBe(times);
});

it("times carry the year, the zone and whole days as they do in mails", async () => {
  await loadMessages(["en-GB"]);
  setTimeZone("Europe/Berlin");
  expect(plainly(formatSpan("2027-10-31T00:30:00Z", "2027-10-31T01:15:00Z"))).toMatch(
    /^Sun,? 31 Oct 2027, 02:30 CEST–02:15 CET$/,
  );
  expect(plainly(formatTimes("2027-10-31T00:00:00Z", "2027-10-31T02:00:00Z"))).toBe(
    "02:00 CEST–03:00 CET",
  );
  expect(plainly(formatSpan("2026-12-09T23:00:00Z", "2026-12-11T23:00:00Z"))).toBe(
    "10–11 Dec, all day",
  );
  setTimeZone("UTC");
});

it("a sentence that ends with an abbreviation has one full stop", async () => {
  await loadMessages(["de"]);

  expect(t("claims.tooLate", { length: "1 Std." })).toMatch(/ 1 Std\.$/);
  expect(t("claims.tooLate", { length: "1 Stunde" })).toMatch(/ 1 Stunde\.$/);
});
