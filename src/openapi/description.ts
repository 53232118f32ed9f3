import packageJson from "../../package.json" with { type: "json" };
import { DESCRIPTION_PATH } from "../contract/routes.ts";
import type { RuleCatalogue, Rules } from "../errors/catalogue.ts";
import { type Asset, assetOf, send } from "../http/asset.ts";
import type { Entry } from "../http/router.ts";
import { version } from "../version.ts";
import { shared, sharedResponses } from "./failures.ts";
import { headerParameter, headerParameters, headerReferences, headers } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { type Catalogue, pathsOf, tagsOf } from "./operations.ts";
import { passkeyPaths, passkeysTag } from "./passkeys.ts";
import { schemasOf } from "./schemas.ts";
import type { OpenApiDocument, PathItem, SecurityScheme } from "./types.ts";
import { sentToWebhooks } from "./webhooks.ts";

export interface DescriptionOptions extends Catalogue {
  readonly basePath: string;
  /** Undefined if people sign in elsewhere. */
  readonly signIn?: SignIn | undefined;
  /** Whether people sign in here by mail, and so may have passkeys. */
  readonly hasPasskeys?: boolean;
}

/**
 * The description of the whole API in OpenAPI 3.0, made from the schemas that validate requests.
 */
export function describeApi({
  basePath,
  signIn,
  hasPasskeys = false,
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
    tags: [...tagsOf(catalogue.routes), ...(hasPasskeys ? [passkeysTag] : []), ownTag],
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    paths: {
      ...pathsOf(catalogue),
      ...(hasPasskeys && passkeyPaths),
      [DESCRIPTION_PATH]: ownPath,
    },
    "x-webhooks": sentToWebhooks,
    components: {
      schemas: schemasOf(catalogue.routes),
      responses: sharedResponses,
      headers,
      parameters: headerParameters,
      securitySchemes: schemes,
    },
  };
}

const ownTag = { name: "openapi.json", description: "This description." };

const ownPath: PathItem = {
  parameters: [headerParameter("RequestId")],
  get: {
    operationId: "get_openapi",
    summary: "This description",
    description: "It needs no token, for it says how to get one.",
    tags: [ownTag.name],
    security: [],
    parameters: [headerParameter("IfNoneMatch")],
    responses: {
      200: {
        description: "An OpenAPI 3.0 document.",
        headers: headerReferences("ETag"),
        content: { "application/json": { schema: { type: "object" } } },
      },
      304: {
        description: "The body is still the one of If-None-Match.",
        headers: headerReferences("ETag"),
      },
      500: shared("InternalServerError"),
      503: shared("ServiceUnavailable"),
    },
  },
};

/** The addresses where a client gets a token with the authorization code of OAuth 2.0. */
export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

const VERIFICATION = "It is verified as RFC8725 advises.";

/** A client may use any of them. */
const securitySchemes = (signIn?: SignIn): Readonly<Record<string, SecurityScheme>> => ({
  ...(signIn && { signIn: authorizationCode(signIn) }),
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: `An access token of the building's identity provider. ${VERIFICATION}`,
  },
});

const authorizationCode = (signIn: SignIn): SecurityScheme => ({
  type: "oauth2",
  description: `Development only: sign in as anyone, without a password. ${VERIFICATION}`,
  flows: {
    authorizationCode: {
      ...signIn,
      refreshUrl: signIn.tokenUrl,
      scopes: { openid: "who you are", email: "your address" },
    },
  },
});

interface OpenApiParts extends Omit<DescriptionOptions, "rules"> {
  readonly rules: RuleCatalogue;
}

/**
 * Serves the description to everybody, because people must be able to read without a token how to
 * get one. It is made again when the rules of the database have changed.
 */
export function openApiRoute({ rules: catalogue, ...options }: OpenApiParts): Entry {
  let made: { readonly rules: Rules; readonly asset: Asset } | undefined;

  const answer: Entry["answer"] = async (ctx) => {
    const rules = await catalogue.forStrangers();
    if (made?.rules !== rules) {
      const json = JSON.stringify(describeApi({ ...options, rules }));
      made = { rules, asset: assetOf(json, "application/json") };
    }
    await send(ctx, made.asset, "revalidated");
  };
  return { method: "GET", path: options.basePath + DESCRIPTION_PATH, answer };
}
