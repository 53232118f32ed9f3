import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

const src = join(projectFolder, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith("web"),
);

/** A folder of src, or a file that stands in src itself. */
const roomOf = (file: string): string => file.split("/")[0] ?? "";

/** The rooms that each room imports from: values, types, and what is loaded when it is needed. */
const imports = new Map<string, Set<string>>(files.map((file) => [roomOf(file), new Set()]));
for (const file of files) {
  const source = readFileSync(join(src, file), "utf8");
  for (const [, path = ""] of source.matchAll(/(?:\bfrom |\bimport\(|^import )"(\.[^"]+)"/gm)) {
    const room = roomOf(relative(src, join(src, dirname(file), path)));
    if (room !== roomOf(file) && room !== "..") imports.get(roomOf(file))?.add(room);
  }
}

/** The rooms that a room needs, by way of others too. */
function neededBy(room: string, needed = new Set<string>()): ReadonlySet<string> {
  for (const next of imports.get(room) ?? []) {
    if (needed.has(next)) continue;
    needed.add(next);
    neededBy(next, needed);
  }
  return needed;
}

describe("the rooms of the service", () => {
  it("import from each other in one direction", () => {
    const inCircles = [...imports.keys()].filter((room) => neededBy(room).has(room));
    expect(inCircles).toEqual([]);
    expect([...neededBy("main.ts")]).toEqual(expect.arrayContaining(["rest", "log", "graphql"]));
  });

  it.each(["rest", "graphql", "openapi"])(
    "%s knows none of the others that read contract",
    (room) => {
      const others = ["rest", "graphql", "openapi"].filter((it) => it !== room);
      expect(imports.get(room)).toContain("contract");
      expect(others.filter((it) => neededBy(room).has(it))).toEqual([]);
    },
  );

  it("have few files beside them", () => {
    expect(files.filter((file) => !file.includes("/")).length).toBeLessThanOrEqual(8);
  });

  it("have no file of more than 300 lines", () => {
    const long = files.filter(
      (file) => readFileSync(join(src, file), "utf8").split("\n").length > 301,
    );
    expect(long).toEqual([]);
  });
});
