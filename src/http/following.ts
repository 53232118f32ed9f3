import type { Middleware } from "koa";
import type { Pool } from "pg";
import { callAs } from "../database/transaction.ts";
import { callerOf, type Identity, type RequestState } from "../tokens/identity.ts";

const follow = { name: "follow_groups", text: "select private.follow_groups()", values: [] };

/**
 * Where the groups of a token decide, the database keeps what they say, once for each token, for the
 * rules that are about other people than the caller.
 */
export function followGroups(pool: Pool): Middleware<RequestState> {
  const followed = new WeakSet<Identity>(); // the same object while the token is cached

  const keep = async (identity: Identity) => {
    const call = { readOnly: false, mostlyReads: true, steps: [follow] };
    await callAs(pool, JSON.stringify(identity), call, { row: callerOf(identity) });
    followed.add(identity);
  };
  return ({ state: { identity } }, next) => {
    const isDecided =
      (identity.is_approved ?? identity.is_admin ?? identity.is_concierge) !== undefined;
    return isDecided && !followed.has(identity) ? keep(identity).then(next) : next();
  };
}
