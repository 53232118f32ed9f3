import type { OpenAPIV3 } from "openapi-types";
import type { Details } from "../errors/problem.ts";

/** The part of OpenAPI 3.0 that the description uses, read-only. */
type Frozen<T> = unknown extends T ? T : { readonly [Key in keyof T]: Frozen<T[Key]> };

type Named<T> = Readonly<Record<string, T>>;

export type Reference = Frozen<OpenAPIV3.ReferenceObject>;
/** A schema of a value or an object. */
export type ValueSchema = Frozen<OpenAPIV3.NonArraySchemaObject>;
export type SchemaObject = ValueSchema | Frozen<OpenAPIV3.ArraySchemaObject>;
export type Schema = SchemaObject | Reference;
export type SecurityScheme = Frozen<OpenAPIV3.SecuritySchemeObject>;
export type Tag = Frozen<OpenAPIV3.TagObject>;
export type Method = "get" | "post" | "put" | "delete";

export interface Header extends Frozen<OpenAPIV3.HeaderObject> {
  readonly description: string;
  readonly schema: SchemaObject;
}

export interface Parameter extends Frozen<OpenAPIV3.ParameterObject> {
  readonly schema: SchemaObject;
}

/** Only failures have examples of the whole body. Other examples follow from their schemas. */
export interface Example {
  readonly value: { readonly error: string; readonly details?: Details };
}

export interface Content {
  readonly "application/json"?: { readonly schema: Schema; readonly examples?: Named<Example> };
  readonly "text/csv"?: { readonly schema: Schema };
  readonly "text/event-stream"?: { readonly schema: Schema };
  readonly "text/calendar"?: { readonly schema: Schema };
}

export interface Response {
  readonly description: string;
  readonly headers: Named<Reference>;
  readonly content?: Content;
}
export type Responses = Named<Response | Reference>;

type OwnOperation = "operationId" | "summary" | "description" | "tags";
export interface Operation
  extends Required<Pick<Frozen<OpenAPIV3.OperationObject>, OwnOperation>>,
    Pick<Frozen<OpenAPIV3.OperationObject>, "security" | "requestBody"> {
  readonly parameters: readonly (Parameter | Reference)[];
  readonly responses: Responses;
}

export type PathItem = { readonly parameters: readonly (Parameter | Reference)[] } & {
  readonly [method in Method]?: Operation;
};

export interface OpenApiDocument
  extends Required<Pick<Frozen<OpenAPIV3.Document>, "openapi" | "security" | "tags">> {
  readonly info: Frozen<OpenAPIV3.InfoObject> & { readonly description: string };
  readonly servers: readonly { readonly url: string; readonly "x-internal": boolean }[];
  readonly paths: Named<PathItem>;
  /** These are called webhooks in OpenAPI 3.1. */
  readonly "x-webhooks": Named<PathItem>;
  readonly components: {
    readonly schemas: Named<SchemaObject>;
    readonly responses: Named<Response>;
    readonly headers: Named<Header>;
    readonly parameters: Named<Parameter>;
    readonly securitySchemes: Named<SecurityScheme>;
  };
}
