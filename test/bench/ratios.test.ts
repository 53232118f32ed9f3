import { describe, expect, it } from "@jest/globals";
import { FLOOR, SERVICE } from "../../bench/contenders/contender.ts";
import { fallsOf, rangeOf, sharesByCost, sharesOf } from "../../bench/ratios.ts";
import { result } from "./results.ts";

describe("shares of bare Koa", () => {
  it("compares the rates of the same round", () => {
    // The machine was slow in the last two, for both.
    const results = [result(FLOOR, [1000, 100, 100]), result(SERVICE, [90, 10, 10])];
    expect(sharesOf(results)).toEqual({ "GET /claims": { [FLOOR]: 1, [SERVICE]: 0.1 } });
  });

  it("says how far the rounds agree", () => {
    expect(rangeOf([90, 10, 12], [1000, 100, 100])).toEqual([0.09, 0.12]);
  });

  it("counts the processor time of server and database", () => {
    const floor = result(FLOOR, [], { serverCpu: 20 });
    const service = result(SERVICE, [], { serverCpu: 100, databaseCpu: 300 });
    expect(sharesByCost([floor, service])["GET /claims"]).toEqual({ [FLOOR]: 1, [SERVICE]: 0.05 });
  });

  it("says no number where the system does not say the processor time", () => {
    const results = [result(FLOOR, []), result(SERVICE, [], { serverCpu: undefined })];
    expect(sharesByCost(results)["GET /claims"]?.[SERVICE]).toBeNaN();
  });
});

describe("falls since a recorded run", () => {
  const recorded = { "GET /claims": { [FLOOR]: 1, [SERVICE]: 0.1, PostGraphile: 0.1 } };
  const now = (service: number, postgraphile = 0.1) => ({
    "GET /claims": { [FLOOR]: 1, [SERVICE]: service, PostGraphile: postgraphile },
  });

  it("are those of the service by more than a fifth, and what is no number or not recorded", () => {
    const fall = (to: string) => [`GET /claims fell to ${to}, recorded 0.100`];
    expect(fallsOf(now(0.0801), recorded)).toEqual([]);
    expect(fallsOf(now(0.079), recorded)).toEqual(fall("0.0790"));
    expect(fallsOf(now(Number.NaN), recorded)).toEqual(fall("NaN"));
    expect(fallsOf({}, recorded)).toEqual([]);
    expect(fallsOf(now(0.1), {})).toEqual(["GET /claims is not recorded"]);
  });

  it("are of another contender where that is asked for", () => {
    expect(fallsOf(now(0.1, 0.01), recorded)).toEqual([]);
    expect(fallsOf(now(0.1, 0.01), recorded, "PostGraphile")).toHaveLength(1);
  });
});
