import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../src/openapi/types.ts";

/** The description of the API, made once for the whole run (global-setup.ts). */
export const description: OpenApiDocument = JSON.parse(
  readFileSync(process.env.TEST_DESCRIPTION ?? "", "utf8"),
);
