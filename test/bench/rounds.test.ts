import { describe, expect, it } from "@jest/globals";
import type { Contender } from "../../bench/contenders/contender.ts";
import type { Measurement } from "../../bench/measurements.ts";
import { readOptions } from "../../bench/options.ts";
import { measure } from "../../bench/rounds.ts";

const reading: Measurement = { name: "GET /claims", reads: true, steps: () => [] };
const options = readOptions(["--rounds", "3"]);
if (options === undefined) throw new Error("no options");

/** A contender that gives 10, 20, 30 … answers a second, of which the first are the warm-up. */
function contender(name: string, turns: string[], more: Partial<Contender> = {}): Contender {
  let count = 0;
  return {
    name,
    pid: process.pid,
    takesPart: () => true,
    async run() {
      turns.push(name);
      count += 5;
      return { count, seconds: 0.5, p50: count, p99: 2 * count };
    },
    ...more,
  };
}

describe("a measurement", () => {
  it("lets the contenders take turns, and gives the medians of the rounds", async () => {
    const turns: string[] = [];
    const { results } = await measure(
      reading,
      [contender("a", turns), contender("b", turns)],
      options,
    );
    expect(turns).toEqual(["a", "b", "a", "b", "a", "b", "a", "b"]);
    expect(results.map(({ contender }) => contender)).toEqual(["a", "b"]);
    expect(results[0]).toMatchObject({ rates: [20, 30, 40], rate: 30, p50: 15, p99: 30 });
  });

  it("leaves out who does not take part", async () => {
    const turns: string[] = [];
    const absent = contender("a", turns, { takesPart: () => false });
    const { results } = await measure(reading, [absent, contender("b", turns)], options);
    expect(results.map(({ contender }) => contender)).toEqual(["b"]);
  });

  it("names a contender with a wrong answer, and goes on without it", async () => {
    const turns: string[] = [];
    const wrong = contender("a", turns, { run: () => Promise.reject(new Error("status 500")) });
    const { results, failures } = await measure(reading, [wrong, contender("b", turns)], options);
    expect(failures).toEqual(["GET /claims, a: Error: status 500"]);
    expect(results.map(({ contender }) => contender)).toEqual(["b"]);
    expect(turns).toEqual(["b", "b", "b", "b"]);
  });
});
