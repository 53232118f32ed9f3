import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = new URL("../../../src/web/", import.meta.url);

/** The rooms of `src/web`, from the lowest: each imports only from itself and from those before it. */
const rooms = [
  "grouped",
  "settings",
  "storage",
  "store",
  "service-worker",
  "version",
  "messages",
  "unsaved",
  "routing",
  "jsx",
  "time",
  "sign-in",
  "api",
  "parts",
  "screens",
  "shell",
  "begin",
  "main",
];

/** The folder, or the name of a file that stands in none. */
const roomOf = (file: string): string => file.replace(/(\/|\.tsx?$).*/, "");

const files = (await readdir(root, { recursive: true })).filter((file) => /\.tsx?$/.test(file));

/** What each file imports, types too, as paths below `src/web`. */
const imports = new Map<string, readonly string[]>();
/** Those with a button that loses the focus while it is busy. */
const losingFocus: string[] = [];
for (const file of files) {
  const source = await readFile(new URL(file, root), "utf8");
  const named = source.matchAll(/(?:from |import\(|import )"(\.[^"]+)"/g);
  const paths = [...named].map(([, path = ""]) => posix.join(posix.dirname(file), path));
  imports.set(file, paths);
  if (/<(?:Action)?[Bb]utton[^>]*\sdisabled=\{[^}]*busy/.test(source)) losingFocus.push(file);
}

/** What the file needs, directly or not. */
function needsOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  for (const next of imports.get(file) ?? []) {
    if (found.has(next)) continue;
    found.add(next);
    needsOf(next, found);
  }
  return found;
}

describe("the rooms of the page", () => {
  it("are all in the order", () => {
    expect([...new Set(files.map(roomOf))].toSorted()).toEqual(rooms.toSorted());
  });

  it("import downwards", () => {
    const upwards = [...imports].flatMap(([file, paths]) =>
      paths
        .filter((path) => rooms.indexOf(roomOf(path)) > rooms.indexOf(roomOf(file)))
        .map((path) => `${file} imports ${path}`),
    );

    expect(upwards).toEqual([]);
  });

  it("have no circle in them", () => {
    expect(files.filter((file) => needsOf(file).has(file))).toEqual([]);
  });
});

describe("a button of the page", () => {
  it("is aria-disabled while it is busy, so that it keeps the focus", () => {
    expect(losingFocus).toEqual([]);
  });
});
