import { describe, expect, it } from "@jest/globals";
import { FLOOR, SERVICE } from "../../bench/contenders/contender.ts";
import { columns, details, markdownTable, page, summary } from "../../bench/report.ts";
import { result } from "./results.ts";

const results = [result(FLOOR, [1000]), result(SERVICE, [123.4], { databaseCpu: 150 })];

describe("the details of a measurement", () => {
  it("has a line for each contender", () => {
    expect(details(results).slice(1)).toEqual([
      [FLOOR, "1000", "1.00", "1.00–1.00", "1.00", "2.0", "10.3", "100", "n/a", "120"],
      [SERVICE, "123", "0.12", "0.12–0.12", "0.40", "2.0", "10.3", "100", "150", "120"],
    ]);
  });
});

describe("the summary", () => {
  it("leaves a place empty where a contender did not take part", () => {
    expect(summary({ read: { [FLOOR]: 1, [SERVICE]: 0.0456 }, write: { [FLOOR]: 1 } })).toEqual([
      ["", FLOOR, SERVICE],
      ["read", "1.00", "0.046"],
      ["write", "1.00", ""],
    ]);
  });
});

describe("a table", () => {
  const rows = [
    ["", "a"],
    ["long name", "10"],
  ];

  it("has names on the left and numbers on the right in a terminal", () => {
    expect(columns(rows)).toBe("            a\nlong name  10");
  });

  it("is one of Markdown in a file", () => {
    expect(markdownTable(rows)).toBe("|  | a |\n| --- | ---: |\n| long name | 10 |");
  });
});

describe("the page", () => {
  it("says where it was measured, and everything about each measurement", () => {
    const text = page(results, ["two processors"]);
    expect(text).toContain("- two processors\n");
    expect(text).toContain(`### GET /claims\n\n${markdownTable(details(results))}\n`);
  });
});
