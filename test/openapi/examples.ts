import type { OpenApiDocument, Operation, Schema } from "../../src/openapi/types.ts";
import type { Failure } from "../support/person.ts";

/** The value that the examples of a schema's fields make up. */
export function exampleOf(schema: Schema, description: OpenApiDocument): unknown {
  if ("$ref" in schema) {
    const name = schema.$ref.replace("#/components/schemas/", "");
    return exampleOf(description.components.schemas[name] ?? {}, description);
  }
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, description)];
  if (schema.type !== "object") return schema.example;
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    members.map(([name, member]) => [name, exampleOf(member, description)]),
  );
}

export interface Example<Value = unknown> {
  readonly schema: Schema;
  readonly value: Value;
}

/** What is shown as the value of a parameter or header. */
export function valuesIn({ paths, components }: OpenApiDocument): readonly Example[] {
  const ofPaths = Object.values(paths).flatMap(({ parameters, ...operations }) => [
    ...parameters,
    ...Object.values(operations).flatMap((operation: Operation) => operation.parameters ?? []),
  ]);
  const places = [
    ...ofPaths.filter((parameter) => "schema" in parameter),
    ...Object.values(components.parameters),
    ...Object.values(components.headers),
  ];
  return places.map(({ schema, example }) => ({ schema, value: example }));
}

/** What is shown as the body of a failure. */
export function failuresIn({ paths, components }: OpenApiDocument): readonly Example<Failure>[] {
  const ofPaths = Object.values(paths).flatMap(({ parameters, ...operations }) =>
    Object.values(operations).flatMap((operation: Operation) => Object.values(operation.responses)),
  );
  return [...ofPaths, ...Object.values(components.responses)].flatMap((response) => {
    const json = "$ref" in response ? undefined : response.content?.["application/json"];
    if (json === undefined) return [];
    const { schema, examples = {} } = json;
    return Object.values(examples).map(({ value }) => ({ schema, value }));
  });
}
