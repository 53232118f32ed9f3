import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { projectFolder } from "./project-folder.ts";

/** The version of the service in package.json. */
export const { version } = packageJson;

/** The commit that runs: that of the checkout, or the one in the file COMMIT of an image. */
export const commit = commitOf(projectFolder);

export function commitOf(folder: string): string | undefined {
  const found = textOf(join(folder, "COMMIT")) ?? headOf(join(folder, ".git"));
  return found && /^[\da-f]{7,64}$/.test(found) ? found.slice(0, 12) : undefined;
}

/** Reads Git's files, because Git may be missing, or may refuse a checkout of another account. */
function headOf(place: string): string | undefined {
  // A worktree has a file with the path of its Git folder, and that folder leads to the branches.
  const git = /^gitdir: (.+)$/.exec(textOf(place) ?? "")?.[1] ?? place;
  const common = resolve(git, textOf(join(git, "commondir")) ?? "");
  const head = textOf(join(git, "HEAD"));
  const branch = head && /^ref: (.+)$/.exec(head)?.[1];
  if (!branch) return head;
  const packed = textOf(join(common, "packed-refs"))?.split("\n");
  return (
    textOf(join(common, branch)) ??
    packed?.find((line) => line.endsWith(` ${branch}`))?.split(" ")[0]
  );
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}
