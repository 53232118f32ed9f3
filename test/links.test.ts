import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

async function pagesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(projectFolder, folder));
  return names.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

async function leads(page: string, link: string): Promise<boolean> {
  const [path, anchor] = link.split("#");
  const target = join(projectFolder, path ? join(dirname(page), path) : page);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = (await readFile(target, "utf8")).matchAll(/^#+ (.*)$/gm);
  return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor);
}

it("every link of the documentation leads to a file and a heading that there are", async () => {
  const pages = [...(await pagesIn("")), ...(await pagesIn("docs"))];
  const dead: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(projectFolder, page), "utf8");
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g))
      if (!(await leads(page, link))) dead.push(`${page}: ${link}`);
  }
  expect(pages.length).toBeGreaterThan(10);
  expect(dead).toEqual([]);
});
