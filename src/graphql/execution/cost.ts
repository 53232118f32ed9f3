import { OperationTypeNode } from "graphql";

/** About how many values have to be found. All may be infinite. */
export interface Cost {
  readonly once: number;
  /** Of a selection on a connection: once more for each item of its list. */
  readonly perItem: number;
  /** Of a selection on a connection: the further statements over all of its list. */
  readonly statements: number;
}

export const NO_COST: Cost = { once: 0, perItem: 0, statements: 0 };

export const sumOfCosts = (a: Cost, b: Cost): Cost => ({
  once: a.once + b.once,
  perItem: a.perItem + b.perItem,
  statements: a.statements + b.statements,
});

const VALUE = 1;
/** A statement about the rows that belong to another row, found by an index. */
const STATEMENT = 10;
/** A statement that may be about all of a table. */
const STATEMENT_AT_ROOT = 1000;
const ROW_AT_ROOT = 200;
/** As much as a whole request to REST. */
const MUTATION = 2000;
/** Large answers to short questions. */
const ofTheSchemaItself: Readonly<Record<string, number>> = { __schema: 5000, __type: 1000 };
/** There may be more; few lists have. */
const USUAL_GROUPS = 20;

export interface Field {
  readonly name: string;
  /** Where it is one of the fields that an operation begins with. */
  readonly rootOf: OperationTypeNode | undefined;
  /** Of a list, the number of items that are asked for. */
  readonly first: number | undefined;
}

/** @param inner the cost of what is asked of the field */
export function costOf({ name, rootOf, first }: Field, inner: Cost): Cost {
  if (first !== undefined) {
    const each = rootOf ? STATEMENT_AT_ROOT : STATEMENT;
    const statements = 1 + inner.statements;
    return { ...NO_COST, once: statements * each + inner.once + first * inner.perItem };
  }
  switch (name) {
    case "nodes":
    case "edges":
      return { ...NO_COST, perItem: VALUE + inner.once };
    case "totalCount":
    case "aggregates":
      return { ...NO_COST, once: inner.once, statements: 1 };
    case "groupedAggregates":
      return { ...NO_COST, once: USUAL_GROUPS * inner.once, statements: 1 };
    default:
      return { ...NO_COST, once: ownCost(name, rootOf) + inner.once };
  }
}

function ownCost(name: string, rootOf: OperationTypeNode | undefined): number {
  if (!rootOf || name === "__typename") return VALUE;
  return rootOf === OperationTypeNode.MUTATION
    ? MUTATION
    : (ofTheSchemaItself[name] ?? ROW_AT_ROOT);
}
