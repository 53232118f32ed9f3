import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../src/project-folder.ts";

/** What is mounted and started ends with the command. */
const APART = ["--mount", "--pid", "--fork", "--kill-child"];

/** It takes root, and a kernel that lets root mount. */
export const canCopyMachine = (): boolean => spawnSync("unshare", [...APART, "true"]).status === 0;

/** All files of this machine, in memory: what is written there is gone at the end. */
const IN_A_COPY = `
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount --rbind /dev /mnt/root/dev
mount -t tmpfs tmpfs /mnt/root/run
exec env -i HOME=/root PATH="$PATH" chroot /mnt/root bash -s`;

/** Runs a script of bash as root of a copy of this machine. What it prints, with its complaints. */
export async function printedInCopy(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "machine-copy-"));
  const file = join(folder, "script");
  await writeFile(file, `set -e\n${script}`);
  const line = `${IN_A_COPY} <${file} 2>&1`;
  const { stdout } = spawnSync("unshare", [...APART, "bash", "-c", line], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  return stdout;
}

/** The commands and settings in a section of a page, as somebody copies them. */
export async function blocksIn(page: string, heading: string): Promise<readonly string[]> {
  const text = await readFile(join(projectFolder, page), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const blocks = own.matchAll(/^( *)```(?:sh|ini)\n(.*?)^ *```$/gms);
  return [...blocks].map(([, indent, code = ""]) =>
    code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}
