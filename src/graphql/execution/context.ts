import type { WithPgClient } from "postgraphile/@dataplan/pg";

/** The response of a route that changes something (specification, Endpoints). */
export type Body = Readonly<Record<string, unknown>>;

/** Does what the route of this function does; gives the body that its response would have. */
export type Mutate = (call: string, input: object) => Promise<Body>;

/** What the plans of one operation work with. */
export interface OperationContext {
  readonly callerId: string;
  readonly mutate: Mutate;
  /** Whose claims are seen: those of the caller; null for all, which administrators see. */
  readonly party: () => Promise<string | null>;
  /** The names of PostGraphile. The settings are made with the transaction, so here are none. */
  readonly pgSettings: null;
  readonly withPgClient: WithPgClient;
}

declare global {
  namespace Grafast {
    interface Context {
      callerId: OperationContext["callerId"];
      mutate: OperationContext["mutate"];
      party: OperationContext["party"];
    }
  }
}
