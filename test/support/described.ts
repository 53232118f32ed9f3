import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../src/openapi/types.ts";

interface Descriptions {
  /** The description of the API. */
  readonly description: OpenApiDocument;
  /** The description of a service that issues tokens itself. */
  readonly underDevelopment: OpenApiDocument;
  /** The description of a service that signs people in by mail. */
  readonly byMail: OpenApiDocument;
}

/** Made once for the whole run (global-setup.ts). */
export const { description, underDevelopment, byMail }: Descriptions = JSON.parse(
  readFileSync(process.env.TEST_DESCRIPTION ?? "", "utf8"),
);
