import { Readable } from "node:stream";
import type { ParameterizedContext } from "koa";
import type { Pool } from "pg";
import type { Route } from "../contract/route.ts";
import { Nothing } from "../contract/schemas.ts";
import { callAs, type Row, type Step } from "../database/transaction.ts";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { explain } from "../errors/render.ts";
import { conditionOf } from "../http/conditions.ts";
import type { Endpoint } from "../http/router.ts";
import type { Logger } from "../log/logger.ts";
import { callerOf, type RequestState } from "../tokens/identity.ts";
import { textValidator } from "./validation.ts";

interface PiecesParts {
  readonly pool: Pool;
  readonly rules: RuleCatalogue;
  readonly logger: Logger;
  /** Charges the caller for more than one request. */
  readonly charge: (
    ctx: ParameterizedContext<RequestState>,
    points: number,
  ) => Promise<void> | undefined;
}

/** The points for an answer: one for each piece, within these. One is charged for every request. */
const FEWEST_POINTS = 10;
const MOST_POINTS = 50;

/**
 * Answers with more than fits into memory: a piece is read when the client has taken the one before.
 * No connection and no snapshot is held meanwhile, so what changes may be in it as it was or as it is.
 * Where a piece cannot be read, the answer breaks off, and is no JSON.
 */
export function piecesEndpoint(
  route: Route,
  read: string,
  { pool, rules, logger, charge }: PiecesParts,
): Endpoint<RequestState> {
  const contents: Step = {
    name: route.call,
    text: `select member, ids from api.${route.call}()`,
    values: [],
  };
  const piece = { name: read, text: `select * from private.${read}($1, $2)` };
  const checkQuery = textValidator(Nothing);

  return async (ctx) => {
    conditionOf(ctx);
    checkQuery(ctx.query);
    const { identity } = ctx.state;
    const isGone = () => ctx.socket.destroyed;
    const claims = JSON.stringify(identity);
    const rowsOf = async (step: Step): Promise<readonly Row[]> => {
      const call = { kind: "read", steps: [step], row: callerOf(identity), isGone } as const;
      const [rows = []] = await callAs(pool, claims, call);
      return rows;
    };
    const pieces = await rowsOf(contents);
    await charge(ctx, Math.min(Math.max(FEWEST_POINTS, pieces.length), MOST_POINTS) - 1);
    const recordsOf = (values: Row) =>
      rowsOf({ ...piece, values }).catch(async (error: unknown) => {
        await explain(error, ctx, rules, logger); // for the log: it is too late to answer it
        throw error;
      });
    ctx.type = "application/json";
    ctx.body = Readable.from(written(pieces, recordsOf));
  };
}

/** `{"claims":[…],"spots":[…]}`; the pieces of a member follow one another. */
async function* written(
  pieces: readonly Row[],
  read: (values: Row) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  const members = Map.groupBy(pieces, ([member]) => member);
  let start = "{";
  for (const [member = "", piecesOfMember] of members) {
    yield `${start}${JSON.stringify(member)}:[`;
    start = "],";
    let separator = "";
    for (const piece of piecesOfMember) {
      const records = await read(piece);
      if (records.length === 0) continue; // gone meanwhile
      yield separator + records.map(([record]) => record).join();
      separator = ",";
    }
  }
  yield start === "{" ? "{}" : "]}";
}
