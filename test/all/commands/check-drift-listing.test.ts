import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { listSchema } from "../../../src/migrations/schema-listing.ts";

/** Some changes are to roles, which belong to the whole cluster: these tests have one of their own. */
let postgres: EmbeddedPostgres;
let client: Client;
let original: readonly string[];
beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  await createDatabase(postgres, "parking");
  await runMigrations(postgres.url("parking_owner", "parking"), createLogger("silent"));
  client = new Client({ connectionString: postgres.url("postgres", "parking") });
  await client.connect();
  original = await lines();
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
});

const lines = async (): Promise<readonly string[]> => (await listSchema(client)).split("\n");

/** The lines that the listing has after a change and not before, and the other way round. */
async function changeOf(statements: readonly string[]): Promise<readonly string[]> {
  for (const statement of statements) await client.query(statement);
  const changed = await lines();
  const plus = changed.filter((line) => !original.includes(line)).map((line) => `+ ${line}`);
  const minus = original.filter((line) => !changed.includes(line)).map((line) => `- ${line}`);
  return [...minus, ...plus];
}

const stranger = "create role stranger";
const dropStranger = "drop owned by stranger; drop role stranger";

/** What is changed, the line that shows it, and how it is changed back. */
const changes: readonly (readonly [string, readonly string[], RegExp, readonly string[]])[] = [
  [
    "the owner of a table",
    [stranger, "alter table parking.claims owner to stranger"],
    /^\+ create table parking.claims owner stranger$/,
    ["alter table parking.claims owner to parking_owner", dropStranger],
  ],
  [
    "the owner of a function",
    [stranger, "alter function private.caller_id owner to stranger"],
    /^\+ .* -- owner stranger$/,
    ["alter function private.caller_id owner to parking_owner", dropStranger],
  ],
  [
    "the owner of a schema",
    [stranger, "alter schema api owner to stranger"],
    /^\+ alter schema api owner to stranger;$/,
    ["alter schema api owner to parking_owner", dropStranger],
  ],
  [
    "a table that is no longer logged",
    ["alter table private.events set unlogged"],
    /^\+ create unlogged table private.events$/,
    ["alter table private.events set logged"],
  ],
  [
    "an invalid index",
    [
      "update pg_index set indisvalid = false where indexrelid = 'parking.claims_start_time_id_idx'::regclass",
    ],
    /^\+ {3}CREATE INDEX claims_start_time_id_idx .* -- invalid$/,
    [
      "update pg_index set indisvalid = true where indexrelid = 'parking.claims_start_time_id_idx'::regclass",
    ],
  ],
  [
    "an invalid index of a constraint",
    ["update pg_index set indisvalid = false where indexrelid = 'parking.claims_pkey'::regclass"],
    /^\+ {3}constraint claims_pkey PRIMARY KEY \(id\) -- invalid$/,
    ["update pg_index set indisvalid = true where indexrelid = 'parking.claims_pkey'::regclass"],
  ],
  [
    "the index by which a table is clustered",
    ["alter table parking.claims cluster on claims_start_time_id_idx"],
    /^\+ {3}CREATE INDEX claims_start_time_id_idx .* -- clustered$/,
    ["alter table parking.claims set without cluster"],
  ],
  [
    "the index of a constraint by which a table is clustered",
    ["alter table parking.claims cluster on claims_pkey"],
    /^\+ {3}constraint claims_pkey PRIMARY KEY \(id\) -- clustered$/,
    ["alter table parking.claims set without cluster"],
  ],
  [
    "the index that identifies rows for replication",
    ["alter table parking.claims replica identity using index claims_pkey"],
    /^\+ {3}constraint claims_pkey PRIMARY KEY \(id\) -- replica identity$/,
    ["alter table parking.claims replica identity default"],
  ],
  [
    "a parameter of a constraint's index",
    ["alter index parking.claims_pkey set (fillfactor = 50)"],
    /^\+ {3}constraint claims_pkey PRIMARY KEY \(id\) with \(fillfactor=50\)$/,
    ["alter index parking.claims_pkey reset (fillfactor)"],
  ],
  [
    "the statistics of an index's expression",
    ["alter index parking.spots_spot_number_is_unique alter column 1 set statistics 7"],
    /^\+ {3}CREATE UNIQUE INDEX spots_spot_number_is_unique .* statistics 1 7$/,
    ["alter index parking.spots_spot_number_is_unique alter column 1 set statistics default"],
  ],
  [
    "the name of a not-null constraint",
    [
      "alter table parking.claims rename constraint claims_start_time_not_null to claims_begin_some_time",
    ],
    /^\+ {3}start_time timestamp\(3\) with time zone constraint claims_begin_some_time not null$/,
    [
      "alter table parking.claims rename constraint claims_begin_some_time to claims_start_time_not_null",
    ],
  ],
  [
    "a not-null constraint that is not valid",
    ["alter table parking.claims add constraint claims_held_is_given not null held not valid"],
    /^\+ .* constraint claims_held_is_given not null not valid$/,
    ["alter table parking.claims alter held drop not null"],
  ],
  [
    "a default of a view's column",
    ["alter view reporting.claims alter column status set default 'lost'"],
    /^\+ {3}status text default 'lost'::text$/,
    ["alter view reporting.claims alter column status drop default"],
  ],
  [
    "a comment on a role",
    ["comment on role parking_api is 'Hello'"],
    /^\+ comment on role parking_api is 'Hello';$/,
    [
      "comment on role parking_api is 'Logs in for the service. Row-level security and column grants bind it.'",
    ],
  ],
  [
    "a comment on the database",
    ["comment on database parking is 'Hello'"],
    /^\+ comment on database is 'Hello';$/,
    ["comment on database parking is null"],
  ],
  [
    "a privilege on a type",
    [
      "create type parking.mood as enum ('good', 'bad')",
      "grant usage on type parking.mood to parking_reporter",
    ],
    /^\+ grant usage on type parking.mood to parking_reporter;$/,
    ["drop type parking.mood"],
  ],
  [
    "a privilege on the type of a table's rows",
    ["grant usage on type parking.claims to parking_reporter"],
    /^\+ grant usage on type parking.claims to parking_reporter;$/,
    ["revoke usage on type parking.claims from parking_reporter"],
  ],
  [
    "a privilege on one of PostgreSQL's types",
    ["grant usage on type uuid to parking_reporter"],
    /^\+ grant usage on type uuid to parking_reporter;$/,
    ["revoke usage on type uuid from parking_reporter"],
  ],
  [
    "a privilege to set a parameter",
    ["grant set on parameter session_replication_role to parking_api"],
    /^\+ grant set on parameter session_replication_role to parking_api;$/,
    ["revoke set on parameter session_replication_role from parking_api"],
  ],
  [
    "a disabled trigger of a foreign key",
    ["alter table parking.claims disable trigger all"],
    /^\+ {3}trigger of constraint claims_within_availability \("RI_FKey_check_ins"\) -- D$/,
    ["alter table parking.claims enable trigger all"],
  ],
  [
    "a disabled trigger",
    ["alter table parking.claims disable trigger touch"],
    /^\+ {3}CREATE TRIGGER touch BEFORE UPDATE .*ON parking.claims .* -- D$/,
    ["alter table parking.claims enable trigger touch"],
  ],
  [
    "a rewrite rule",
    ["create rule swallow as on delete to parking.claims do instead nothing"],
    /^\+ {3}CREATE RULE swallow AS/,
    ["drop rule swallow on parking.claims"],
  ],
  [
    "a publication",
    ["create publication leak for table parking.profiles (email, id) where (is_admin)"],
    /^\+ create publication leak for parking.profiles \(id, email\) where is_admin with/,
    ["drop publication leak"],
  ],
  [
    "a type",
    ["create type parking.mood as enum ('good', 'bad')"],
    /^\+ create type parking.mood as enum \('good', 'bad'\) owner postgres$/,
    ["drop type parking.mood"],
  ],
  [
    "a domain and its constraint",
    ["create domain parking.age as integer constraint positive check (value > 0)"],
    /^\+ {3}constraint positive CHECK \(\(VALUE > 0\)\)$/,
    ["drop domain parking.age"],
  ],
  [
    "a cast",
    ["create cast (boolean as jsonb) with inout as implicit"],
    /^\+ create cast \(boolean AS pg_catalog.jsonb\)$/,
    ["drop cast (boolean as jsonb)"],
  ],
  [
    "an operator",
    ["create operator parking.=== (leftarg = uuid, rightarg = uuid, function = uuid_eq)"],
    /^\+ create operator parking.===\(pg_catalog.uuid,pg_catalog.uuid\)$/,
    ["drop operator parking.=== (uuid, uuid)"],
  ],
  [
    "an event trigger",
    [
      "create function public.watch() returns event_trigger language plpgsql as 'begin end'",
      "create event trigger watch on ddl_command_end execute function public.watch()",
    ],
    /^\+ create event trigger watch enabled O$/,
    ["drop event trigger watch", "drop function public.watch"],
  ],
  [
    "extended statistics",
    ["create statistics parking.together on spot_id, owner_id from parking.claims"],
    /^\+ {3}CREATE STATISTICS parking.together ON spot_id, owner_id FROM parking.claims$/,
    ["drop statistics parking.together"],
  ],
  [
    "another schema",
    ["create schema extra authorization parking_owner"],
    /^\+ create schema extra;$/,
    ["drop schema extra"],
  ],
  [
    "a table in another schema",
    ["create schema extra authorization parking_owner", "create table extra.copy ()"],
    /^\+ create table extra.copy owner postgres$/,
    ["drop schema extra cascade"],
  ],
  [
    "an aggregate",
    ["create aggregate parking.total(integer) (sfunc = int4pl, stype = integer, initcond = '0')"],
    /^\+ create aggregate parking.total\(integer\) \(sfunc = int4pl\(integer,integer\), stype = integer/,
    ["drop aggregate parking.total(integer)"],
  ],
  [
    "a sequence",
    ["create sequence parking.numbers increment 2"],
    /^\+ create sequence parking.numbers .*increment 2/,
    ["drop sequence parking.numbers"],
  ],
  [
    "a materialized view",
    ["create materialized view reporting.stale as select 1 as one"],
    /^\+ create materialized view reporting.stale/,
    ["drop materialized view reporting.stale"],
  ],
  [
    "the storage of a column",
    ["alter table private.events alter data set storage external"],
    /^\+ {3}data jsonb not null storage e$/,
    ["alter table private.events alter data set storage extended"],
  ],
  [
    "the compression of a column",
    ["alter table private.events alter data set compression pglz"],
    /^\+ {3}data jsonb not null compression p$/,
    ["alter table private.events alter data set compression default"],
  ],
  [
    "an attribute of a role",
    ["alter role parking_api bypassrls"],
    /^\+ role parking_api login bypassrls$/,
    ["alter role parking_api nobypassrls"],
  ],
  [
    "a membership",
    ["grant pg_read_all_data to parking_reporter"],
    /^\+ grant pg_read_all_data to parking_reporter with inherit t, set t, admin f$/,
    ["revoke pg_read_all_data from parking_reporter"],
  ],
  [
    "a login that became a member",
    [
      "create role stranger login",
      "grant parking_api to stranger",
      "grant connect on database parking to stranger",
    ],
    /^\+ grant parking_api to stranger with/,
    [dropStranger],
  ],
  [
    "a setting of a role",
    ["alter role parking_api set statement_timeout = 0"],
    /^\+ alter role parking_api set statement_timeout=0$/,
    ["alter role parking_api set statement_timeout = '10s'"],
  ],
  [
    "a setting of the database",
    ["alter database parking set session_replication_role = 'replica'"],
    /^\+ alter database set session_replication_role=replica$/,
    ["alter database parking reset session_replication_role"],
  ],
  [
    "a privilege on the database",
    ["grant temporary on database parking to public"],
    /^\+ grant temporary on database to public;$/,
    ["revoke temporary on database parking from public"],
  ],
  [
    "a default privilege",
    ["alter default privileges in schema parking grant select on tables to parking_reporter"],
    /^\+ default privileges of postgres in schema parking on r: select to parking_reporter;$/,
    ["alter default privileges in schema parking revoke select on tables from parking_reporter"],
  ],
  [
    "a privilege on a column",
    ["grant update (owner_id) on parking.spots to parking_api"],
    /^\+ grant update \(owner_id\) on parking.spots to parking_api;$/,
    ["revoke update (owner_id) on parking.spots from parking_api"],
  ],
  [
    "a grant option",
    ["grant select on parking.spots to parking_api with grant option"],
    /^\+ grant select on parking.spots to parking_api with grant option;$/,
    ["revoke grant option for select on parking.spots from parking_api"],
  ],
  [
    "a privilege that the owner gave up",
    ["revoke delete on parking.spots from parking_owner"],
    /^\+ revoke delete on parking.spots from its owner;$/,
    ["grant delete on parking.spots to parking_owner"],
  ],
  [
    "a privilege on one of PostgreSQL's functions",
    ["grant execute on function pg_read_file(text) to parking_api"],
    /^\+ grant execute on pg_read_file\(text\) to parking_api;$/,
    ["revoke execute on function pg_read_file(text) from parking_api"],
  ],
];

describe("the listing of a database shows", () => {
  it.each(changes)("%s", async (_what, statements, line, back) => {
    const shown = await changeOf(statements).finally(async () => {
      for (const statement of back) await client.query(statement);
    });
    expect(shown).toContainEqual(expect.stringMatching(line));
    expect(await lines()).toEqual(original);
  });
});
