/**
 * The query plans of GraphQL documents in a building with 200,000 claims. For each document, as a
 * resident and as an administrator, it prints the statements' times and how they read the tables.
 * `node bench/graphql-plans.ts --verbose` prints the plans as well.
 */
import "../src/graphql/mode.ts";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parse } from "graphql";
import type { Pool, PoolClient } from "pg";
import type { PgClientQuery } from "postgraphile/@dataplan/pg";
import { execute } from "postgraphile/grafast";
import { withClient } from "../src/database/client.ts";
import { createPool } from "../src/database/pool.ts";
import { createDatabase } from "../src/embedded/database.ts";
import { withThrowAwayPostgres } from "../src/embedded/throw-away.ts";
import type { OperationContext } from "../src/graphql/execution/execution.ts";
import { createSchema } from "../src/graphql/schema/schema.ts";
import { createLogger } from "../src/log/logger.ts";
import { runMigrations } from "../src/migrations/run.ts";

const documents: Readonly<Record<string, string>> = {
  claims: "{ claims { nodes { id startTime status } } }",
  "claims, the next page": `{ claims(offset: 50) { nodes { id } pageInfo { hasNextPage } } }`,
  "claims, counted": "{ claims { nodes { id } totalCount } }",
  "claims that are active": `{ claims(condition: { status: "active" }) { nodes { id } } }`,
  "claims with their spots":
    "{ claims { nodes { spot { spotNumber } availability { isClaimed } } } }",
  "claims of each section and day": `{ claims { groupedAggregates(groupBy: [BUILDING_SECTION, DAY]) {
    keys count hours distinctCount { claimerId } } } }`,
  "spots with their claims": "{ spots { nodes { claims(first: 5) { nodes { id } totalCount } } } }",
  "spots of a section": `{ spots(condition: { buildingSection: "Section 3" }) { nodes { id } } }`,
  windows: "{ availabilities { nodes { id spot { spotNumber } } } }",
  "windows, counted": "{ availabilities { totalCount } }",
  "free windows": "{ availabilities(condition: { isClaimed: false }) { nodes { id } } }",
  "utilisation of spots": `{ spots { nodes { availabilities {
    groupedAggregates(groupBy: [IS_CLAIMED]) { keys count hours } } } } }`,
  notifications: "{ notifications { nodes { id message } totalCount } }",
};

const person = (number: number): string =>
  `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const people = { "a resident": person(5), "an administrator": person(1) };

const { values } = parseArgs({ options: { verbose: { type: "boolean", default: false } } });
const logger = createLogger("warn");

await withThrowAwayPostgres(async (postgres) => {
  await createDatabase(postgres, "bench");
  await runMigrations(postgres.url("parking_owner", "bench"), logger);
  const rows = await readFile(new URL("full-building.sql", import.meta.url), "utf8");
  await withClient(postgres.url("postgres", "bench"), (client) => client.query(rows));
  const pool = createPool(postgres.url("parking_api", "bench"), logger);
  await explainAll(pool);
  await pool.end();
});

async function explainAll(pool: Pool): Promise<void> {
  const schema = await createSchema(pool);
  for (const [name, document] of Object.entries(documents)) {
    for (const [who, id] of Object.entries(people)) {
      const client = await pool.connect();
      await client.query("begin read only");
      await client.query("select set_config('request.jwt.claims', $1, true)", [`{"sub":"${id}"}`]);
      const plans: string[] = [];
      const contextValue: OperationContext = {
        callerId: id,
        isAdministrator: async () => who === "an administrator",
        pgSettings: null,
        withPgClient: async (_settings, use) => use(explaining(client, plans)),
        mutate: () => Promise.reject(new Error("the benchmark writes nothing")),
      };
      await execute({ schema, document: parse(document), contextValue });
      await client.query("rollback");
      client.release();
      for (const plan of plans) report(`${name}, to ${who}`, plan);
    }
  }
}

/** A client that records the plan of each statement before it runs the statement. */
function explaining(client: PoolClient, plans: string[]) {
  return {
    async query<Row>({ text, values = [] }: PgClientQuery) {
      const explain = `explain (analyze, timing off, buffers off) ${text}`;
      const { rows } = await client.query<{ "QUERY PLAN": string }>(explain, values);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      return client.query<Row & unknown[]>({ text, values, rowMode: "array" });
    },
    withTransaction: () => Promise.reject(new Error("the benchmark writes nothing")),
  };
}

function report(title: string, plan: string): void {
  const time = /Execution Time: (\S+) ms/.exec(plan)?.[1]?.padStart(9);
  const ways = plan.match(/(Seq Scan on|(Index|Index Only) Scan using|Bitmap Index Scan on) \w+/g);
  console.log(`${time} ms  ${title}: ${[...new Set(ways)].join(", ")}`);
  if (values.verbose) console.log(plan);
}
