import type { Random } from "../../support/random.ts";

/** What a document is made from. The search changes one of these at a time. */
export interface Genome {
  readonly seed: number;
  readonly root: "query" | "mutation" | "introspection";
  /** How deep fields are nested. */
  readonly depth: number;
  /** How many fields with fields below them each level has. */
  readonly branches: number;
  /** How many values each level has. */
  readonly leaves: number;
  /** How often each field is repeated under another name. */
  readonly copies: number;
  /** The length of those names. */
  readonly nameLength: number;
  readonly first: number;
  /** How many items of a list are skipped. */
  readonly offset: number;
  /** The number of columns that groups are made by, and of orders. */
  readonly items: number;
  /** Unknown fields, keys and values, in percent. */
  readonly mistakes: number;
  /** The number of keys of the input of a mutation that do not exist. */
  readonly unknownKeys: number;
  /** How often levels are put into fragments, in percent. */
  readonly fragments: number;
  /** How often arguments come in variables, in percent. */
  readonly variables: number;
  /** How often fields have directives, in percent. */
  readonly directives: number;
  /** Operations that are not executed. */
  readonly others: number;
}

type Genes = { readonly [Name in keyof Genome]: readonly Genome[Name][] };

const percent = [0, 0, 0, 20, 100];

const genes: Omit<Genes, "seed"> = {
  root: ["query", "query", "query", "mutation", "introspection"],
  depth: [1, 2, 3, 4, 5, 7, 12],
  branches: [1, 1, 2, 3, 10, 59],
  leaves: [1, 2, 5, 12],
  copies: [1, 1, 1, 2, 5, 20, 100, 450],
  nameLength: [2, 2, 64, 1000, 50_000],
  first: [0, 1, 5, 20, 50, 200],
  offset: [0, 0, 0, 1_000, 1_000_000],
  items: [0, 1, 2, 4, 10],
  mistakes: [0, 0, 0, 0, 10, 100],
  unknownKeys: [0, 0, 20, 400, 7_000],
  fragments: percent,
  variables: percent,
  directives: percent,
  others: [0, 0, 0, 3, 60],
};

export function randomGenome(random: Random): Genome {
  const { pick, below } = random;
  return {
    seed: below(2 ** 31),
    root: pick(genes.root),
    depth: pick(genes.depth),
    branches: pick(genes.branches),
    leaves: pick(genes.leaves),
    copies: pick(genes.copies),
    nameLength: pick(genes.nameLength),
    first: pick(genes.first),
    offset: pick(genes.offset),
    items: pick(genes.items),
    mistakes: pick(genes.mistakes),
    unknownKeys: pick(genes.unknownKeys),
    fragments: pick(genes.fragments),
    variables: pick(genes.variables),
    directives: pick(genes.directives),
    others: pick(genes.others),
  };
}

const names = Object.keys(randomGenome({ below: () => 0, pick: first })) as (keyof Genome)[];

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("a gene has no values");
  return item;
}

/** The genome with two of its genes drawn again. */
export function mutated(genome: Genome, random: Random): Genome {
  const other = randomGenome(random);
  const changed = [random.pick(names), random.pick(names)];
  return Object.assign({}, genome, ...changed.map((name) => ({ [name]: other[name] })));
}
