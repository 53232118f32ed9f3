import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program of this machine is, if it is installed. */
export const pathTo = (program: string): string | undefined =>
  ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter)]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
