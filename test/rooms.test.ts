import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

const src = join(projectFolder, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file),
);

/** A folder of src, or a file that stands in src itself. */
const roomOf = (file: string): string => file.split("/")[0] ?? "";
const ofService = files.filter((file) => roomOf(file) !== "web");
const rooms = [...new Set(ofService.map(roomOf))];

/** What each file imports: values, types, and what is loaded when it is needed. */
const imports = new Map<string, readonly string[]>();
for (const file of files) {
  const source = readFileSync(join(src, file), "utf8");
  const named = source.matchAll(/(?:\bfrom |\bimport\(|^import )"(\.[^"]+)"/gm);
  const paths = Array.from(named, ([, path = ""]) => join(dirname(file), path));
  imports.set(
    file,
    paths.filter((path) => !path.startsWith("..")),
  );
}

/** The rooms that the files of each room import from. */
const roomsOf = new Map<string, readonly string[]>(
  rooms.map((room) => [
    room,
    ofService
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => imports.get(file)?.map(roomOf) ?? [])
      .filter((other) => other !== room),
  ]),
);

/** What something imports, by way of others too. */
function neededBy(
  it: string,
  graph: ReadonlyMap<string, readonly string[]>,
  needed = new Set<string>(),
): ReadonlySet<string> {
  for (const next of graph.get(it) ?? []) {
    if (needed.has(next)) continue;
    needed.add(next);
    neededBy(next, graph, needed);
  }
  return needed;
}
const inCircles = (graph: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...graph.keys()].filter((it) => neededBy(it, graph).has(it));

describe("the files of the service", () => {
  it("import from each other in one direction", () => {
    expect(inCircles(imports)).toEqual([]);
    expect(neededBy("main.ts", imports)).toContain("rest/statements.ts");
  });

  it("know nothing of the page's, but the one that builds it", () => {
    const knowing = ofService.filter((file) =>
      imports.get(file)?.some((path) => roomOf(path) === "web"),
    );
    expect(knowing).toEqual(["pages/build.ts"]);
  });

  it("have 300 lines at most", () => {
    const long = ofService.filter(
      (file) => readFileSync(join(src, file), "utf8").split("\n").length > 301,
    );
    expect(long).toEqual([]);
  });
});

describe("the rooms of the service", () => {
  it("import from each other in one direction", () => {
    expect(inCircles(roomsOf)).toEqual([]);
  });

  it.each(["rest", "graphql", "openapi"])(
    "%s knows none of the others that read contract",
    (room) => {
      const others = ["rest", "graphql", "openapi"].filter((it) => it !== room);
      expect(roomsOf.get(room)).toContain("contract");
      expect(others.filter((it) => neededBy(room, roomsOf).has(it))).toEqual([]);
    },
  );

  it("have few files beside them", () => {
    expect(ofService.filter((file) => !file.includes("/")).length).toBeLessThanOrEqual(9);
  });
});
