import { type DocumentNode, GraphQLSchema } from "graphql";
import { LRUCache } from "lru-cache";
import type { Shape } from "./measure.ts";

/** A valid document, and the schema to execute it with. */
export interface KeptDocument {
  readonly document: DocumentNode;
  /** Grafast keeps the plans of this document in it, and of no other document. */
  readonly schema: GraphQLSchema;
}

export interface KeptDocuments {
  find(query: string): KeptDocument | undefined;
  keep(query: string, document: DocumentNode, shape: Shape): KeptDocument;
}

const MOST_BYTES = 50_000_000;
/** About what the plans of a document take; measured by test/hostile. */
const BYTES_OF_A_BRANCH = 80_000;
const BYTES_OF_A_FIELD = 8_000;

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
    keep(query, document, { fields, branches }) {
      const it = { document, schema: schemaForOneDocument(schema) };
      const size = query.length + branches * BYTES_OF_A_BRANCH + fields * BYTES_OF_A_FIELD;
      kept.set(query, it, { size });
      return it;
    },
  };
}

function schemaForOneDocument(schema: GraphQLSchema): GraphQLSchema {
  const grafast = {
    ...schema.extensions.grafast,
    // The least that Grafast takes. An operation has several plans where its variables change it.
    operationsCacheMaxLength: 2,
    operationOperationPlansCacheMaxLength: 2,
  };
  const extensions = { ...schema.extensions, grafast };
  return new GraphQLSchema({ ...schema.toConfig(), extensions, assumeValid: true });
}
