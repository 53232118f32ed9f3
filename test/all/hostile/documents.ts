import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
} from "graphql";
import { type Random, random } from "../../support/random.ts";
import type { Genome } from "./genome.ts";

export interface HostileDocument {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const LONGEST = 95_000;

/** Ids of rows that exist, so that reads find something. */
export type Ids = readonly string[];

/** Makes the document of a genome, always the same one. It may be invalid or too large. */
export function documentOf(schema: GraphQLSchema, genome: Genome, ids: Ids): HostileDocument {
  const writer = new Writer(schema, genome, ids);
  return writer.write();
}

class Writer {
  readonly #schema: GraphQLSchema;
  readonly #genome: Genome;
  readonly #ids: Ids;
  readonly #random: Random;
  readonly #fragments: string[] = [];
  readonly #definitions: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  #length = 0;
  #names = 0;

  constructor(schema: GraphQLSchema, genome: Genome, ids: Ids) {
    this.#schema = schema;
    this.#genome = genome;
    this.#ids = ids;
    this.#random = random(genome.seed);
  }

  write(): HostileDocument {
    const { root, depth, others } = this.#genome;
    const keyword = root === "mutation" ? "mutation" : "query";
    const type = keyword === "mutation" ? "Mutation" : "Query";
    const selection =
      root === "introspection"
        ? `{ ${this.#field("__schema", { type: "__Schema", depth })} ${this.#field(
            `__type(name: "Query")`,
            { type: "__Type", depth },
          )} }`
        : this.#selection(type, depth);
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(" ")})` : "";
    const unused = Array.from({ length: others }, (_, i) => `query O${i} { ${this.#spread()} }`);
    const query = [`${keyword} Main${definitions} ${selection}`, ...unused, ...this.#fragments];
    return {
      query: query.join(" ").slice(0, LONGEST),
      operationName: "Main",
      variables: this.#variables,
    };
  }

  #chance = (percent: number): boolean => this.#random.below(100) < percent;

  #spread = (): string =>
    this.#fragments.length > 0 ? `...F${this.#random.below(this.#fragments.length)}` : "__typename";

  /** Fields of a type; in a fragment now and then. */
  #selection(typeName: string, depth: number): string {
    const { branches, leaves, mistakes, fragments, copies } = this.#genome;
    const type = this.#schema.getType(typeName);
    const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
    const all = Object.values(fields);
    const values = all.filter((field) => !isCompositeType(getNamedType(field.type)));
    const objects = all.filter((field) => isCompositeType(getNamedType(field.type)));
    const parts: string[] = ["__typename"];
    const add = (field: GraphQLField<unknown, unknown> | undefined, below: number): void => {
      for (let copy = 0; field && copy < copies && this.#length < LONGEST; copy++) {
        const name = this.#chance(mistakes) ? `${field.name}s` : field.name;
        const call = `${name}${this.#arguments(field.args)}`;
        parts.push(this.#field(call, { type: getNamedType(field.type).name, depth: below }));
      }
    };
    for (let i = 0; i < leaves && values.length > 0; i++) add(this.#random.pick(values), 0);
    for (let i = 0; i < branches && objects.length > 0 && depth > 0; i++) {
      add(this.#random.pick(objects), depth - 1);
    }
    const selection = `{ ${parts.join(" ")} }`;
    if (!this.#chance(fragments)) return selection;
    this.#fragments.push(`fragment F${this.#fragments.length} on ${typeName} ${selection}`);
    return `{ ...F${this.#fragments.length - 1} }`;
  }

  /** One field under a name of its own, with what is below it. */
  #field(call: string, { type, depth }: { readonly type: string; readonly depth: number }): string {
    const { nameLength, copies, directives } = this.#genome;
    const alias = copies > 1 ? `${`a${this.#names++}`.padEnd(nameLength, "x")}: ` : "";
    const directive = this.#chance(directives) ? ` @include(if: true)` : "";
    this.#length += alias.length + call.length + directive.length + 3;
    const below = isCompositeType(this.#schema.getType(type)) ? this.#selection(type, depth) : "";
    return `${alias}${call}${directive} ${below}`;
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.filter(
      ({ name, type }) => type instanceof GraphQLNonNull || this.#wants(name),
    );
    if (given.length === 0) return "";
    return `(${given.map((arg) => `${arg.name}: ${this.#argument(arg)}`).join(" ")})`;
  }

  #wants(name: string): boolean {
    if (name === "orderBy") return this.#genome.items > 1;
    if (name === "offset") return this.#genome.offset > 0;
    return name === "condition" && this.#chance(20);
  }

  #argument({ name, type }: GraphQLArgument): string {
    const { first, offset } = this.#genome;
    const value = { first, offset }[name] ?? this.#value(type);
    if (!this.#chance(this.#genome.variables)) return literal(value);
    const variable = `v${this.#definitions.length}`;
    this.#definitions.push(`$${variable}: ${type}`);
    this.#variables[variable] = value instanceof Name ? value.name : plain(value);
    return `$${variable}`;
  }

  #value(type: GraphQLInputType): unknown {
    const { mistakes, items, unknownKeys } = this.#genome;
    const nullable = getNullableType(type);
    if (this.#chance(mistakes / 2)) return "x".repeat(this.#genome.nameLength);
    if (isListType(nullable)) {
      return Array.from({ length: Math.max(items, 1) }, () => this.#value(nullable.ofType));
    }
    if (isEnumType(nullable)) return new Name(this.#random.pick(nullable.getValues()).name);
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields());
      const wanted = fields.filter(
        (field) => field.type instanceof GraphQLNonNull || this.#chance(50),
      );
      const unknown = Array.from({ length: unknownKeys }, (_, i) => [`k${i}`, i]);
      return Object.fromEntries([
        ...wanted.map((field) => [field.name, this.#value(field.type)]),
        ...unknown,
      ]);
    }
    switch (getNamedType(nullable).name) {
      case "Int":
        return this.#random.below(100);
      case "Boolean":
        return this.#random.below(2) === 0;
      case "UUID":
        return this.#random.pick(this.#ids);
      case "ID":
        return Buffer.from(
          JSON.stringify([this.#random.pick(["Spot", "Claim"]), this.#random.pick(this.#ids)]),
        ).toString("base64");
      case "Datetime":
        return "2030-01-01T10:00:00Z";
      default:
        return "x".repeat(1 + this.#random.below(30));
    }
  }
}

/** A value of an enum. */
class Name {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, it) => (it instanceof Name ? it.name : it)));

/** A value in GraphQL's own language. */
function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(" ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, it]) => `${name}: ${literal(it)}`);
    return `{ ${fields.join(" ")} }`;
  }
  return JSON.stringify(value);
}
