import { expect, it } from "@jest/globals";
import { Client } from "pg";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { listSchema } from "../../../src/migrations/schema-listing.ts";
import { opened } from "../../support/opened.ts";
import { holdsForAll } from "../../support/table.ts";

/** Some changes are to roles, which belong to the whole cluster: this test has one of its own. */
const building = opened(
  async () => {
    const postgres = await startThrowAwayPostgres();
    await createDatabase(postgres, "parking");
    await runMigrations(postgres.url("parking_owner", "parking"), createLogger("silent"));
    const client = new Client({ connectionString: postgres.url("postgres", "parking") });
    await client.connect();
    return { postgres, client };
  },
  async ({ postgres, client }) => {
    await client.end();
    await postgres.stop();
  },
);

const linesOf = async (client: Client): Promise<readonly string[]> =>
  (await listSchema(client)).split("\n");

/** A client whose transactions do not begin and end, for a listing within one that is open. */
const within = (client: Client): Client =>
  Object.create(client, {
    query: {
      value: (text: string) =>
        client.query(text === "rollback" ? "" : text.replace(/begin transaction[^;]*;/, "")),
    },
  });

/** What is changed, and the line that the listing has after it and not before; … is any text. */
const changes = `
  create role stranger; alter table parking.claims owner to stranger
  + create table parking.claims owner stranger

  create role stranger; alter function private.caller_id owner to stranger
  + … -- owner stranger

  create role stranger; alter schema api owner to stranger
  + alter schema api owner to stranger;

  alter table private.events set unlogged
  + create unlogged table private.events

  update pg_index set indisvalid = false where indexrelid = 'parking.claims_start_time_id_idx'::regclass
  +   CREATE INDEX claims_start_time_id_idx … -- invalid

  update pg_index set indisvalid = false where indexrelid = 'parking.claims_pkey'::regclass
  +   constraint claims_pkey PRIMARY KEY (id) -- invalid

  alter table parking.claims cluster on claims_start_time_id_idx
  +   CREATE INDEX claims_start_time_id_idx … -- clustered

  alter table parking.claims cluster on claims_pkey
  +   constraint claims_pkey PRIMARY KEY (id) -- clustered

  alter table parking.claims replica identity using index claims_pkey
  +   constraint claims_pkey PRIMARY KEY (id) -- replica identity

  alter index parking.claims_pkey set (fillfactor = 50)
  +   constraint claims_pkey PRIMARY KEY (id) with (fillfactor=50)

  alter index parking.spots_spot_number_is_unique alter column 1 set statistics 7
  +   CREATE UNIQUE INDEX spots_spot_number_is_unique … statistics 1 7

  alter table parking.claims rename constraint claims_start_time_not_null to claims_begin_some_time
  +   start_time timestamp(3) with time zone constraint claims_begin_some_time not null

  alter table parking.claims add constraint claims_held_is_given not null held not valid
  + … constraint claims_held_is_given not null not valid

  alter view reporting.claims alter column status set default 'lost'
  +   status text default 'lost'::text

  comment on role parking_api is 'Hello'
  + comment on role parking_api is 'Hello';

  comment on database parking is 'Hello'
  + comment on database is 'Hello';

  create type parking.mood as enum ('good', 'bad'); grant usage on type parking.mood to parking_reporter
  + grant usage on type parking.mood to parking_reporter;

  grant usage on type parking.claims to parking_reporter
  + grant usage on type parking.claims to parking_reporter;

  grant usage on type uuid to parking_reporter
  + grant usage on type uuid to parking_reporter;

  grant set on parameter session_replication_role to parking_api
  + grant set on parameter session_replication_role to parking_api;

  alter table parking.claims disable trigger all
  +   trigger of constraint claims_within_availability ("RI_FKey_check_ins") -- D

  alter table parking.claims disable trigger touch
  +   CREATE TRIGGER touch BEFORE UPDATE …ON parking.claims … -- D

  create rule swallow as on delete to parking.claims do instead nothing
  +   CREATE RULE swallow AS…

  create publication leak for table parking.profiles (email, id) where (is_admin)
  + create publication leak for parking.profiles (id, email) where is_admin with…

  create type parking.mood as enum ('good', 'bad')
  + create type parking.mood as enum ('good', 'bad') owner postgres

  create domain parking.age as integer constraint positive check (value > 0)
  +   constraint positive CHECK ((VALUE > 0))

  create cast (boolean as jsonb) with inout as implicit
  + create cast (boolean AS pg_catalog.jsonb)

  create operator parking.=== (leftarg = uuid, rightarg = uuid, function = uuid_eq)
  + create operator parking.===(pg_catalog.uuid,pg_catalog.uuid)

  create function public.watch() returns event_trigger language plpgsql as 'begin end'; create event trigger watch on ddl_command_end execute function public.watch()
  + create event trigger watch enabled O

  create statistics parking.together on spot_id, owner_id from parking.claims
  +   CREATE STATISTICS parking.together ON spot_id, owner_id FROM parking.claims

  create schema extra authorization parking_owner
  + create schema extra;

  create schema extra authorization parking_owner; create table extra.copy ()
  + create table extra.copy owner postgres

  create aggregate parking.total(integer) (sfunc = int4pl, stype = integer, initcond = '0')
  + create aggregate parking.total(integer) (sfunc = int4pl(integer,integer), stype = integer…

  create sequence parking.numbers increment 2
  + create sequence parking.numbers …increment 2…

  create materialized view reporting.stale as select 1 as one
  + create materialized view reporting.stale…

  alter table private.events alter data set storage external
  +   data jsonb not null storage e

  alter table private.events alter data set compression pglz
  +   data jsonb not null compression p

  alter role parking_api bypassrls
  + role parking_api login bypassrls

  grant pg_read_all_data to parking_reporter
  + grant pg_read_all_data to parking_reporter with inherit t, set t, admin f

  create role stranger login; grant parking_api to stranger; grant connect on database parking to stranger
  + grant parking_api to stranger with…

  alter role parking_api set statement_timeout = 0
  + alter role parking_api set statement_timeout=0

  alter database parking set session_replication_role = 'replica'
  + alter database set session_replication_role=replica

  grant temporary on database parking to public
  + grant temporary on database to public;

  alter default privileges in schema parking grant select on tables to parking_reporter
  + default privileges of postgres in schema parking on r: select to parking_reporter;

  grant update (owner_id) on parking.spots to parking_api
  + grant update (owner_id) on parking.spots to parking_api;

  grant select on parking.spots to parking_api with grant option
  + grant select on parking.spots to parking_api with grant option;

  revoke delete on parking.spots from parking_owner
  + revoke delete on parking.spots from its owner;

  grant execute on function pg_read_file(text) to parking_api
  + grant execute on pg_read_file(text) to parking_api;
`;

it("the listing of a database shows every change", async () => {
  const { client } = building;
  const before = await linesOf(client);
  await holdsForAll(changes.trim().split(/\n\n */), async (change) => {
    const [statements = "", line = ""] = change.split(/\n *\+ /);
    const wanted = line.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*");
    await client.query("begin");
    try {
      await client.query(statements);
      const added = (await linesOf(within(client))).filter((it) => !before.includes(it));
      expect(added).toContainEqual(expect.stringMatching(`^${wanted}$`));
    } finally {
      await client.query("rollback");
    }
  });
});
