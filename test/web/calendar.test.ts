import { describe, expect, it } from "@jest/globals";
import { calendarFile } from "../../src/web/screens/claims/calendar.ts";

const entry = {
  id: "de300000-0000-8000-8000-000000000001",
  start: "2026-11-22T08:00:00.000Z",
  end: "2026-11-22T18:00:00.000Z",
  title: "Parking on A-1; north, left",
  place: "Straße der Nordgaragen ".repeat(8),
};

describe("a file for the calendar", () => {
  const lines = calendarFile(entry).split("\r\n");

  it("has the times in UTC, and escapes what has a meaning", () => {
    expect(lines).toContain("DTSTART:20261122T080000Z");
    expect(lines).toContain("DTEND:20261122T180000Z");
    expect(lines).toContain("SUMMARY:Parking on A-1\\; north\\, left");
  });

  it("has no line of more than 75 bytes, and folds longer ones", () => {
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(calendarFile(entry).replaceAll("\r\n ", "")).toContain(`LOCATION:${entry.place}`);
  });
});
