import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../../src/project-folder.ts";
import { start } from "./run.ts";

/** A copy of the project in a folder of its own, in which commands may write. */
export interface Checkout {
  readonly folder: string;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  /** Runs a command of src/commands, or another program of src. */
  run(program: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome>;
  remove(): Promise<void>;
}

export interface Outcome {
  readonly code: number;
  /** What it printed, standard output first. */
  readonly output: string;
}

const COPIED = ["src", "sql", "migrations", "docs", "dist", "package.json", ".gmrc"];

export async function makeCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), "parking-checkout-"));
  for (const name of COPIED) {
    const options = { recursive: true, verbatimSymlinks: true };
    await cp(join(projectFolder, name), join(folder, name), options);
  }
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    read: (file) => readFile(join(folder, file), "utf8"),
    write: (file, text) => writeFile(join(folder, file), text),
    list: (name) => readdir(join(folder, name)),
    run: async (program, args = [], env = {}) => {
      const { code, stdout, stderr } = await start(program, args, env, folder).ended;
      return { code, output: `${stdout}${stderr}` };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
