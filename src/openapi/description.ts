import packageJson from "../../package.json" with { type: "json" };
import { DESCRIPTION_PATH } from "../contract/routes.ts";
import { version } from "../version.ts";
import { schemasOf } from "./components.ts";
import { shared, sharedResponses } from "./failures.ts";
import { headerParameter, headerParameters, headers, headersOf } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { type Catalogue, pathsOf } from "./operations.ts";
import { type SignIn, securitySchemes } from "./security.ts";
import type { OpenApiDocument, PathItem } from "./types.ts";

export interface DescriptionOptions extends Catalogue {
  readonly basePath: string;
  /** Unset where people sign in elsewhere. */
  readonly signIn?: SignIn | undefined;
}

/** The description of the whole API in OpenAPI 3.0, made from what validates the requests. */
export function describeApi({
  basePath,
  signIn,
  ...catalogue
}: DescriptionOptions): OpenApiDocument {
  const schemes = securitySchemes(signIn);
  return {
    openapi: "3.0.3",
    info: {
      title: "Parking Spot Sharing Service",
      version,
      license: {
        name: packageJson.license,
        url: `https://spdx.org/licenses/${packageJson.license}.html`,
      },
      description: introduction(basePath),
    },
    servers: [{ url: basePath, "x-internal": false }],
    tags,
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    paths: { ...pathsOf(catalogue), [DESCRIPTION_PATH]: ownPath },
    components: {
      schemas: schemasOf(catalogue.routes),
      responses: sharedResponses,
      headers,
      parameters: headerParameters,
      securitySchemes: schemes,
    },
  };
}

/** By the first segment of the path. */
const tags = [
  { name: "profile", description: "Who you are to the building." },
  { name: "building", description: "Its time zone and its limits." },
  { name: "dashboard", description: "What you have and use." },
  { name: "parking-spots", description: "The spots and their owners." },
  { name: "availabilities", description: "The windows in which spots may be claimed." },
  { name: "claims", description: "Who uses which window, and for how long of it." },
  { name: "notifications", description: "Messages from the service to you." },
  { name: "admin", description: "For administrators." },
  { name: "openapi.json", description: "This description." },
];

const ownPath: PathItem = {
  parameters: [headerParameter("RequestId")],
  get: {
    operationId: "get_openapi",
    summary: "This description",
    description: "It needs no token, for it says how to get one.",
    tags: ["openapi.json"],
    security: [],
    parameters: [headerParameter("IfNoneMatch")],
    responses: {
      200: {
        description: "An OpenAPI 3.0 document.",
        headers: headersOf("ETag"),
        content: { "application/json": { schema: { type: "object" } } },
      },
      304: {
        description: "The body is still the one of If-None-Match.",
        headers: headersOf("ETag"),
      },
      500: shared("InternalServerError"),
      503: shared("ServiceUnavailable"),
    },
  },
};
