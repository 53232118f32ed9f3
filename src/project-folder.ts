import { join } from "node:path";

/** Where the project lies: `sql/`, `migrations/` and `docs/` are below it. */
export const projectFolder = join(import.meta.dirname, "..");
