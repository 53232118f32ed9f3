import type { FieldSchema } from "../contract/fields.ts";
import type { Details } from "../errors/problem.ts";

/** The part of OpenAPI 3.0 that the description uses. */
export interface OpenApiDocument {
  readonly openapi: "3.0.3";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly license: { readonly name: string; readonly url: string };
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string; readonly "x-internal": boolean }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export interface Components {
  readonly schemas: Named<Schema>;
  readonly responses: Named<Response>;
  readonly headers: Named<Header>;
  readonly parameters: Named<Parameter>;
  readonly securitySchemes: Named<SecurityScheme>;
}

export type Method = "get" | "post" | "put" | "delete";

export type PathItem = { readonly parameters: readonly (Parameter | Reference)[] } & {
  readonly [method in Method]?: Operation;
};

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Responses;
}

export type Responses = Readonly<Record<string, Response | Reference>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: FieldSchema["example"];
}

export interface Response {
  readonly description: string;
  readonly headers: Named<Reference>;
  readonly content?: Content;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: SchemaObject;
  readonly example: string | number;
}

export interface Content {
  readonly "application/json": { readonly schema: Schema; readonly examples?: Named<Example> };
  readonly "text/csv"?: { readonly schema: Schema };
}

/** Only failures are shown as a whole; other bodies follow from their schemas. */
export interface Example {
  readonly value: { readonly error: string; readonly details?: Details };
}

export interface SchemaObject extends Partial<Omit<FieldSchema, "type" | "format">> {
  readonly type?: FieldSchema["type"] | "object" | "array";
  /** Only formats that other programs know. */
  readonly format?: Exclude<FieldSchema["format"], "date-or-date-time"> | "int32" | "int64";
  readonly properties?: Named<Schema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly Schema[];
}

export type Schema = SchemaObject | Reference;

export interface Reference {
  readonly $ref: string;
}

export type SecurityScheme =
  | {
      readonly type: "http";
      readonly scheme: "bearer";
      readonly bearerFormat: "JWT";
      readonly description: string;
    }
  | {
      readonly type: "oauth2";
      readonly description: string;
      readonly flows: { readonly authorizationCode: AuthorizationCodeFlow };
    };

export interface AuthorizationCodeFlow {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly refreshUrl: string;
  readonly scopes: Named<string>;
}

export type SecurityRequirement = Named<readonly string[]>;

type Named<T> = Readonly<Record<string, T>>;
