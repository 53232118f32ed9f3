import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";

const pages = ["", "docs"].flatMap((folder) =>
  readdirSync(join(projectFolder, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file)),
);

/** The changelog repeats its headings in each version, and names what is no more. */
const pagesOfToday = pages.filter((page) => page !== "CHANGELOG.md");

const read = (page: string): string => readFileSync(join(projectFolder, page), "utf8");
const exists = (path: string): boolean => existsSync(join(projectFolder, path));

/** The DBA's example writes it. */
const EXAMPLE = "sql/claims/rules/claims_last_a_day_at_most.sql";

/** Without the blocks of code, which show other people's files too. */
const prose = (page: string): string => read(page).replace(/^ *```.*?^ *```$/gms, "");

const headings = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);

/** The end of a link to a heading, as GitHub makes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

function leads(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!exists(target)) return false;
  return heading === undefined || headings(target).map(anchor).includes(heading);
}

/** Which test runs the commands of a page. */
const testOf = (page: string): string =>
  `test/all/docs/${basename(page, ".md").toLowerCase()}.test.ts`;

describe("the documents", () => {
  it("have a test each that runs their commands", () => {
    const withCommands = pages.filter((page) => /^ *```sh$/m.test(read(page)));
    expect(withCommands).toContain("docs/dba.md");
    expect(withCommands.filter((page) => !exists(testOf(page)))).toEqual([]);
  });

  it("install the newest version", () => {
    const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md")) ?? [];
    for (const page of ["docs/operations.md", "docs/small-house.md"])
      expect(read(page)).toContain(`git clone --branch v${newest} `);
  });

  it.each(pages)("link to pages and headings that exist: %s", (page) => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const here = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(here.filter((link) => !leads(page, link))).toEqual([]);
  });

  it.each(pagesOfToday)("have each heading once: %s", (page) => {
    const all = headings(page);
    expect(all.filter((heading, index) => all.indexOf(heading) !== index)).toEqual([]);
  });

  it.each(pagesOfToday)("name files that exist: %s", (page) => {
    const named = [...prose(page).matchAll(/`((?:bench|docs|sql|src|test)\/[^`\s]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => path !== EXAMPLE && !/[<*]/.test(path));
    expect(named.filter((path) => !exists(path))).toEqual([]);
  });
});
