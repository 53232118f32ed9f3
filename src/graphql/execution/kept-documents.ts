import { type DocumentNode, GraphQLSchema } from "graphql";
import { LRUCache } from "lru-cache";

/** A valid document, and the schema to execute it with. */
export interface KeptDocument {
  readonly document: DocumentNode;
  /** Grafast keeps the plans of this document in it, and of no other document. */
  readonly schema: GraphQLSchema;
}

export interface KeptDocuments {
  find(query: string): KeptDocument | undefined;
  /** @param cost the part of the costs of its operations that is for what is kept */
  keep(query: string, document: DocumentNode, cost: number): KeptDocument;
}

const MOST_BYTES = 64_000_000;
/** Upper bounds of what was measured: test/hostile measures it again. */
const BYTES_OF_A_DOCUMENT = 100_000;
const BYTES_OF_A_CHARACTER = 100;
const BYTES_OF_COST = 1_000;
/** An operation has several plans where its variables change it; this is the least Grafast takes. */
const PLANS_OF_AN_OPERATION = 2;

/**
 * Keeps documents that were used lately, and their plans, in a bounded amount of memory.
 *
 * Grafast keeps plans in the schema, and bounds their number and not their size. Here each document
 * has a schema of its own, which shares all types: its plans go when the document goes.
 */
export function keepDocuments(schema: GraphQLSchema): KeptDocuments {
  const kept = new LRUCache<string, KeptDocument>({ maxSize: MOST_BYTES });
  return {
    find: (query) => kept.get(query),
    keep(query, document, cost) {
      const it = { document, schema: schemaForOneDocument(schema) };
      const size =
        BYTES_OF_A_DOCUMENT +
        BYTES_OF_A_CHARACTER * query.length +
        BYTES_OF_COST * PLANS_OF_AN_OPERATION * Math.ceil(cost);
      kept.set(query, it, { size });
      return it;
    },
  };
}

function schemaForOneDocument(schema: GraphQLSchema): GraphQLSchema {
  const grafast = {
    ...schema.extensions.grafast,
    operationOperationPlansCacheMaxLength: PLANS_OF_AN_OPERATION,
  };
  const extensions = { ...schema.extensions, grafast };
  return new GraphQLSchema({ ...schema.toConfig(), extensions, assumeValid: true });
}
