import { join } from "node:path";

/** The folder of the project, which contains `sql/`, `migrations/` and `docs/`. */
export const projectFolder = join(import.meta.dirname, "..");
