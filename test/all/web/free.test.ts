import { describe, expect, it } from "@jest/globals";
import { freeOf } from "../../../src/web/parts/free.ts";
import { partAt, partsOf } from "../../../src/web/parts/window-parts.ts";

const at = (time: string) => `2030-02-01T${time}:00Z`;
const row = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) });
const stamps = { created_at: at("00:00"), updated_at: at("00:00") };

function window(free?: readonly (readonly [start: string, end: string])[], is_claimed = false) {
  const spans = free?.map(([start, end]) => row(start, end));
  const times = { ...row("08:00", "18:00"), ...stamps };
  return { id: "w", spot_id: "", is_claimed, ...times, ...(spans && { free: spans }) };
}

const claim = (start: string, end: string) => ({
  id: start,
  availability_id: "w",
  claimer_id: "",
  status: "active" as const,
  ...row(start, end),
  ...stamps,
});

const time = (moment: number) => new Date(moment).toISOString().slice(11, 16);
const drawn = (...[shown, claims]: Parameters<typeof partsOf>) =>
  partsOf(shown, claims).map((part) =>
    [time(part.start), time(part.end), part.isFree ? "free" : (part.claim?.id ?? "rest")].join(" "),
  );

describe("a window", () => {
  it("is drawn from its beginning to its end: what is free, claimed, or neither", () => {
    expect(drawn(window())).toEqual(["08:00 18:00 free"]);
    expect(drawn(window(undefined, true))).toEqual(["08:00 18:00 rest"]);
    expect(drawn(window([]))).toEqual(["08:00 18:00 rest"]);
    expect(drawn(window(undefined, true), [claim("10:00", "12:00")])).toEqual([
      "08:00 10:00 rest",
      "10:00 12:00 10:00",
      "12:00 18:00 rest",
    ]);
    const partly = window([
      ["08:00", "10:00"],
      ["13:00", "18:00"],
    ]);
    expect(drawn(partly)).toEqual(["08:00 10:00 free", "10:00 13:00 rest", "13:00 18:00 free"]);
    const claims = [claim("12:00", "13:00"), claim("10:00", "11:00")];
    expect(drawn(partly, claims)).toEqual([
      "08:00 10:00 free",
      "10:00 11:00 10:00",
      "11:00 12:00 rest",
      "12:00 13:00 12:00",
      "13:00 18:00 free",
    ]);
  });

  it("is not drawn free where the event of a claim came first", () => {
    expect(drawn(window(), [claim("08:00", "12:00")])).toEqual([
      "08:00 12:00 08:00",
      "12:00 18:00 rest",
    ]);
  });

  it("is one thing at a moment, and nothing before and after it", () => {
    const parts = partsOf(window([["08:00", "10:00"]]));
    const isFree = (moment: string) => partAt(parts, Date.parse(at(moment)))?.isFree;
    expect(["07:59", "08:00", "09:59", "10:00", "17:59", "18:00"].map(isFree)).toEqual([
      undefined,
      true,
      true,
      false,
      false,
      undefined,
    ]);
  });

  it("has no free time once it is claimed, and all of it while nothing is said", () => {
    expect(freeOf(window(undefined, true))).toEqual([]);
    expect(freeOf(window()).map(({ start, end }) => [time(start), time(end)])).toEqual([
      ["08:00", "18:00"],
    ]);
  });
});
