import type { WithPgClient } from "postgraphile/@dataplan/pg";
import type { Body } from "../schema/mutations.ts";

/** Calls the SQL function of a route as the route does, and returns the body of its response. */
export type Mutate = (call: string, input: object) => Promise<Body>;

/** What the plans of one operation use. */
export interface OperationContext {
  readonly callerId: string;
  readonly mutate: Mutate;
  /** Whether the caller is an administrator, who sees all claims. */
  readonly isAdministrator: () => Promise<boolean>;
  /** PostGraphile's names. The transaction sets the settings, so there are none here. */
  readonly pgSettings: null;
  readonly withPgClient: WithPgClient;
}

declare global {
  namespace Grafast {
    interface Context {
      callerId: OperationContext["callerId"];
      mutate: OperationContext["mutate"];
      isAdministrator: OperationContext["isAdministrator"];
    }
  }
}
