import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

/** Comments of TypeScript, CSS and SQL: a block, or lines that follow each other. */
const COMMENT = /^[ \t]*(?:\{?\/\*[\s\S]*?\*\/|(?:(?:\/\/|--(?!!)) .*\n?\s*)+)/gm;

/** Openings that put a clause before the subject, or leave the subject out: say who does what. */
const OPENING =
  /^(?:Of (?!course)|Who(?:ever)? |To whom |That of |As where |(?:For )?(?:as|so) long |So (?:many|much|often) )/i;

const MOST_WORDS = 60;

/** The prose of a comment: without lists, drawings and tags. */
const textOf = (comment: string): string =>
  comment
    .trim()
    .replace(/^\{?\/\*+|\*+\/$/g, "")
    .replace(/^[ \t]*(?:\*|\/\/|--) ?/gm, "")
    .replace(/^(?:- | {4}|@).*$/gm, "")
    .trim();

it("comments begin with their subject, and have sixty words at most", async () => {
  const found: string[] = [];
  const files = "{src,sql,test,bench}/**/*.{ts,tsx,css,sql}";
  for await (const file of glob(files, { cwd: projectFolder, exclude: ["**/node_modules/**"] })) {
    const source = await readFile(join(projectFolder, file), "utf8");
    for (const [comment] of source.matchAll(COMMENT)) {
      const text = textOf(comment);
      const words = text.split(/\s+/).length;
      if (OPENING.test(text)) found.push(`${file}: ${text.split("\n")[0]}`);
      if (words > MOST_WORDS) found.push(`${file}: ${words} words: ${text.split("\n")[0]}`);
    }
  }
  expect(found).toEqual([]);
});
