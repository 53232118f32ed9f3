import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../../src/project-folder.ts";

/** A fenced block of a page. */
export interface Block {
  /** The number of its first line in the page. */
  readonly line: number;
  /** The first word after the fence, such as sh. */
  readonly language: string;
  /** The words after it, such as file=sql/house/a_rule.sql, by which the page says what it is. */
  readonly words: ReadonlyMap<string, string>;
  readonly text: string;
  /** Whether it follows the block before it, with nothing but blank lines between. */
  readonly follows: boolean;
}

const FENCE = /^( *)```(\S*)(?: +(.+))?\n([\s\S]*?)^ *```$/gm;

/** The fenced blocks of a page, in order, without the indent that a list gives them. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(projectFolder, page), "utf8");
  let end = 0;
  return [...text.matchAll(FENCE)].map((found) => {
    const [all, indent = "", language = "", words = "", body = ""] = found;
    const between = text.slice(end, found.index);
    const line = text.slice(0, found.index).split("\n").length + 1;
    const isFirst = end === 0;
    end = found.index + all.length;
    return {
      line,
      language,
      words: new Map(
        Array.from(words.matchAll(/(\w+)=(\S+)/g), ([, name = "", it = ""]) => [name, it]),
      ),
      text: body.replace(new RegExp(`^${indent}`, "gm"), ""),
      follows: !isFirst && between.trim() === "",
    };
  });
}
