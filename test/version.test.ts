import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { commitOf } from "../src/version.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "version-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

describe("the commit that runs", () => {
  it("is that of the checkout, on a branch, packed, without one, and in a worktree", () => {
    git("init", "--initial-branch", "release/1");
    git("commit", "--allow-empty", "--message", "one");
    const commit = git("rev-parse", "HEAD").slice(0, 12);
    expect(commitOf(folder)).toBe(commit);
    git("pack-refs", "--all");
    expect(commitOf(folder)).toBe(commit);
    git("worktree", "add", "-b", "other", "tree");
    expect(commitOf(join(folder, "tree"))).toBe(commit);
    git("checkout", "--detach");
    expect(commitOf(folder)).toBe(commit);
  });

  it("is what the file of an image says", async () => {
    await writeFile(join(folder, "COMMIT"), "0123456789abcdef0123456789abcdef01234567\n");
    expect(commitOf(folder)).toBe("0123456789ab");
  });

  it("is unknown where nothing says it", async () => {
    expect(commitOf(folder)).toBeUndefined();
    await writeFile(join(folder, "COMMIT"), "\n");
    expect(commitOf(folder)).toBeUndefined();
  });
});
