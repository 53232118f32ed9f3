import { describe, expect, it } from "@jest/globals";
import { nextWait, retryAfter } from "../../src/webhooks/schedule.ts";

const HOUR = 3_600_000;
const waits = [
  5_000,
  300_000,
  HOUR / 2,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

describe("the wait after a try that failed", () => {
  it("grows, from five seconds to a day, and then there is no other try", () => {
    expect(waits.map((_, i) => nextWait(i + 1, 0, 0))).toEqual(waits);
    expect(nextWait(10, 0, 0)).toBeUndefined();
  });

  it("is up to a fifth longer, and not the same for all", () => {
    expect(nextWait(1, 0, 1)).toBe(6_000);
    const some = new Set(Array.from({ length: 50 }, () => nextWait(9)));
    expect(some.size).toBeGreaterThan(40);
  });

  it("is as long as the receiver asks for, but a day at most", () => {
    expect(nextWait(1, 60_000, 0)).toBe(60_000);
    expect(nextWait(4, 60_000, 0)).toBe(2 * HOUR);
    expect(nextWait(1, 1_000 * HOUR, 0)).toBe(24 * HOUR);
    expect(nextWait(10, 60_000, 0)).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const now = new Date("2030-01-01T10:00:00Z");
  it.each<[string | undefined, number | undefined]>([
    ["120", 120_000],
    ["Tue, 01 Jan 2030 10:01:00 GMT", 60_000],
    ["Tue, 01 Jan 2030 09:00:00 GMT", undefined],
    ["0", undefined],
    ["-5", undefined],
    ["1e9", undefined],
    ["soon", undefined],
    ["9".repeat(400), undefined],
    [undefined, undefined],
  ])("%s is %s ms", (header, milliseconds) => {
    expect(retryAfter(header, now)).toBe(milliseconds);
  });
});
