import { expect } from "@jest/globals";
import { DatabaseError, Pool, type QueryResult } from "pg";
import type { Statement } from "../rules/support.ts";
import { answerOf, refusal, refusalOf } from "./answers.ts";
import type { Building, Claim, Spot, Window } from "./building.ts";
import { hours } from "./building.ts";
import type { Person } from "./person.ts";
import { type Refusal, refusalsIn } from "./refusals.ts";
import { claimsOf, setClaims, withTransactionOf } from "./sql.ts";

/** A change as a request, and as a statement as the API role. One without a request is SQL's alone. */
export interface Act {
  readonly request?: readonly [method: "POST" | "PUT" | "DELETE", path: string, body?: object];
  readonly sql: Statement;
}
export type BothWays = Required<Act>;

/** An hour from now, or a time as it is written. */
export type Time = number | string | null;
export const at = (time: Time) => (typeof time === "number" ? hours(time) : time);

export const publish = ({ id, owner_id }: Spot, from: Time, to: Time): BothWays => ({
  request: ["POST", "/availabilities", { spot_id: id, start_time: at(from), end_time: at(to) }],
  sql: [
    `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
     values ($1, $2, $3, $4)`,
    [id, owner_id, at(from), at(to)],
  ],
});

/** Gives a window or a claim other times. */
export const move = (row: Window | Claim, from: Time, to: Time): BothWays => {
  const table = "claimer_id" in row ? "claims" : "availabilities";
  return {
    request: ["PUT", `/${table}/${row.id}`, { start_time: at(from), end_time: at(to) }],
    sql: [
      `update parking.${table} set start_time = $2, end_time = $3 where id = $1`,
      [row.id, at(from), at(to)],
    ],
  };
};

export const remove = (row: Window | Claim): BothWays => {
  const table = "claimer_id" in row ? "claims" : "availabilities";
  return {
    request: ["DELETE", `/${table}/${row.id}`],
    sql: [`delete from parking.${table} where id = $1`, [row.id]],
  };
};

/** Claims a window; without times, the whole of it. */
export const claim = (window: Window, from?: Time, to?: Time): BothWays => {
  const start_time = from === undefined ? window.start_time : at(from);
  const end_time = to === undefined ? window.end_time : at(to);
  return {
    request: ["POST", "/claims", { availability_id: window.id, start_time, end_time }],
    sql: [
      `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
       select a.id, a.spot_id, a.owner_id, $2::timestamptz, $3::timestamptz
         from parking.availabilities a
        where a.id = $1`,
      [window.id, start_time, end_time],
    ],
  };
};

export const close = ({ id }: Claim, status: string): BothWays => ({
  request: ["PUT", `/claims/${id}`, { status }],
  sql: ["update parking.claims set status = $2 where id = $1", [id, status]],
});

/** The same where only SQL can say it, such as a time that is no date. */
export const bySql = ({ sql }: Act): Act => ({ sql });

/** "done", "nothing" where the statement concerned no row, or the rule that refused it. */
const ended = (statement: Promise<QueryResult>): Promise<string> =>
  statement.then(
    ({ rowCount }) => (rowCount ? "done" : "nothing"),
    (error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error;
      const policy = /policy "(\w+)"/.exec(error.message)?.[1];
      return error.constraint ?? policy ?? error.column ?? error.code ?? error.message;
    },
  );

const send = (person: Person, [method, path, body]: NonNullable<Act["request"]>) => {
  if (method === "DELETE") return person.delete(path);
  return method === "POST" ? person.post(path, body) : person.put(path, body);
};

/** A digest of each table of the building, and how many events there are. */
async function digestsOf(building: Building): Promise<unknown> {
  const tables = await building.rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'parking'::regnamespace and relkind = 'r'",
  );
  const digests = tables.map(
    ({ name }) =>
      `(select md5(string_agg(t::text, '' order by t::text)) from parking.${name} t) as ${name}`,
  );
  return building.rows(`select ${digests}, (select count(*) from private.events) as events`);
}

/** Their connections close by themselves, before the database is dropped. */
const poolOf = (connectionString: string) =>
  new Pool({ connectionString, max: 1, idleTimeoutMillis: 200 }).on("error", () => {});

/**
 * How an act of this person ends: "done", or with the name of the rule that refuses it. It ends so by direct
 * SQL as the API role and as the owner of the database, both rolled back, and then by REST. A refusal is as the
 * rule says, and changes nothing. Only REST refuses an absent row.
 */
export function doorsOf(building: Building) {
  let pools: readonly [api: Pool, owner: Pool] | undefined;
  let refusals: ReadonlyMap<string, Refusal> | undefined;
  return async (person: Person, { request, sql: [text, values] }: Act): Promise<string> => {
    const { database } = building;
    pools ??= [poolOf(database.url("parking_api")), poolOf(database.url("parking_owner"))];
    refusals ??= await refusalsIn(building);
    const before = await digestsOf(building);
    const rehearsed = (pool: Pool) =>
      ended(
        withTransactionOf(pool, async (client) => {
          await setClaims(client, claimsOf(person));
          return client.query(text, [...values]);
        }),
      );
    const bySql = await rehearsed(pools[0]);
    const byOwner = await rehearsed(pools[1]);
    // A function judges every caller alike, the owner of the database too.
    const isCall = text.startsWith("select api.");
    if (refusals.get(bySql)?.isForPeople && !isCall) expect(byOwner).not.toBe(bySql);
    else if (bySql !== "nothing") expect(byOwner).toBe(bySql);
    if (request) {
      const answer = await send(person, request);
      const rule = answer.status < 300 ? "done" : (answer.headers.get("X-Error-Code") ?? "");
      if (bySql === "nothing") expect(answer.status).toBeGreaterThanOrEqual(400);
      else expect(rule).toBe(bySql);
      if (rule === "done") return rule;
      const absent = { status: 404, message: answer.body.error, field: null };
      const { status, message, field } = refusals.get(rule) ?? absent;
      const said = message.replace("{until}", answer.body.error.match(/\d{4}-\S+Z/)?.[0] ?? "");
      expect(answerOf(answer)).toEqual(
        field ? refusalOf(field, status, said) : refusal(status, said),
      );
      expect(await digestsOf(building)).toEqual(before);
      return rule;
    }
    expect(await digestsOf(building)).toEqual(before);
    return bySql;
  };
}
