import { describe, expect, it } from "@jest/globals";
import { median, quantile } from "../../bench/statistics.ts";

describe("median", () => {
  it("is the middle one, in whatever order they come", () => {
    expect(median([100, 9, 10])).toBe(10);
  });

  it("is half-way between the two in the middle", () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it("is no number where there is none", () => {
    expect(median([])).toBeNaN();
  });
});

describe("quantile", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);

  it("has that share of the values below it", () => {
    expect(quantile(hundred, 0.5)).toBe(51);
    expect(quantile(hundred, 0.99)).toBe(100);
  });

  it("is at most the greatest value", () => {
    expect(quantile([1, 2], 1)).toBe(2);
  });
});
