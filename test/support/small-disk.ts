import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "@jest/globals";

export const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** Only root may mount a file system; the name of a test that is left out says so. */
export const itWithDisk = (name: string, test: () => Promise<void>): void =>
  canMount ? it(name, test) : it.skip(`${name} (needs the right to mount)`, test);

/** A file system of its own, in memory, that can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  unmount(): Promise<void>;
}

/** @param neighbour whose owner owns the folder of the disk as well */
export async function mountSmallDisk(megabytes: number, neighbour: string): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  const { uid, gid } = await stat(neighbour);
  await chown(folder, uid, gid);
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      // dd ends with an error when there is no room left.
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k", "conv=notrunc", "oflag=append"]);
    },
    free: () => rmSync(filler),
    async unmount() {
      execFileSync("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}
