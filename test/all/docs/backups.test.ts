import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathTo } from "../../support/installed.ts";
import { DEMO, SERVER } from "./building.ts";
import { describePage } from "./page.ts";

/** Debian's PostgreSQL, of whatever version: what is printed is the same for each. */
const servers = "/usr/lib/postgresql";
const version = existsSync(servers)
  ? readdirSync(servers).findLast((it) => existsSync(join(servers, it, "bin/initdb")))
  : undefined;
const hasServer = version !== undefined && pathTo("pg_createcluster") !== undefined;

const NO_SERVER = "it needs Debian's postgresql";
const NO_DUMP = "it needs pg_dump 18: test/all/backups/dump.test.ts";

/** A PostgreSQL of one's own, with a role that connects as postgres. */
const OWN_SERVER = `rm -rf /etc/postgresql/* /var/lib/postgresql/* /archive /backups /root/.pgpass
mkdir -p /var/lib/prometheus/node-exporter
pg_createcluster ${version} main --port 5432 --start
sql() { runuser -u postgres -- psql -X --cluster ${version}/$1 -Atc "$2"; }`;

const BACK_UP = `backup=/backups/again
install -d $backup
pg_basebackup -w -h 127.0.0.1 -U backup -D $backup/data -X stream -c fast
/usr/lib/postgresql/${version}/bin/pg_verifybackup $backup/data`;

/** A building whose owner has the password of the page, and one person. */
const BUILDING = `${hasServer ? `grep parking_backup_time_seconds /var/lib/prometheus/node-exporter/parking.prom\npg_ctlcluster ${version} restored stop` : ""}
${SERVER}
CLUSTER_DATABASE_URL=postgres://cloudadmin:…@host/postgres npm run -s building -- create elm_street
psql -U postgres -d elm_street -c "alter role elm_street_owner password '…'"`;

describePage("docs/backups.md", {
  before: `${DEMO}
service=$!
people() { psql "$(npm run -s db:url -- postgres)" -Atc "select $1 from private.users"; }
id=$(people 'max(id::text)') people=$(people 'count(*)')`,
  here: {
    "423 claims": "… claims",
    "<id>": '"$id"',
    "\nnpm start\n": `\n${DEMO}\n[ "$(people 'count(*), count(erased_at)')" = "$people|1" ]\n`,
    "postgresql/18": `postgresql/${version}`,
    " 18 ": ` ${version} `,
    "18/restored": `${version}/restored`,
    "backup=/backups/2026-11-21": "backup=/backups/$(date +%F)",
    "<<'EOF'": "<<EOF",
    "2026-11-21 14:29:00+00": "$moment",
    "@copy/": "@host/",
  },
  first: {
    "mv .data .data.old": "kill $service; wait $service",
    "install -d -o postgres": OWN_SERVER,
    "pg_basebackup -w": `sql main "create table kept as select 'before' as text"
mv /root/.pgpass /root/.away
if pg_basebackup -w -h 127.0.0.1 -U backup -D /backups/refused; then false; fi
mv /root/.away /root/.pgpass`,
    "pg_createcluster 18 restored": `sql main "insert into kept values ('after')"
moment=$(sql main 'select clock_timestamp()')
sql main 'delete from kept'
last=$(sql main 'select pg_walfile_name(pg_switch_wal())')
until [ -f /archive/$last ]; do sleep 0.1; done`,
    "pg_ctlcluster 18 main stop": `until [ "$(sql restored 'select pg_is_in_recovery()')" = f ]; do sleep 0.2; done
[ "$(sql restored "select string_agg(text, ' and ') from kept")" = 'before and after' ]
[ "$(sql restored 'show archive_mode')" = off ]`,
    parking_backup_time_seconds: `[ "$(sql restored 'show archive_mode') $(sql restored 'show port')" = 'on 5432' ]
${BACK_UP}`,
    "export OWNER_DATABASE_URL=postgres://elm_street_owner:…@host": BUILDING,
    ORIGINAL_OWNER_DATABASE_URL: `id=$(cat /proc/sys/kernel/random/uuid)
psql -U postgres -d elm_street -v ON_ERROR_STOP=1 <<END
insert into private.users (id, email, email_confirmed_at) values ('$id', 'ada@example.org', now());
insert into parking.profiles (id, email, apartment_number) values ('$id', 'ada@example.org', '1');
END
ORIGINAL_OWNER_DATABASE_URL=$OWNER_DATABASE_URL`,
  },
  notHere: {
    debootstrap: "there is no network",
    "pg_dump -Fc": NO_DUMP,
    pg_restore: NO_DUMP,
    ...(!hasServer && {
      "/archive": NO_SERVER,
      pg_basebackup: NO_SERVER,
      pg_verifybackup: NO_SERVER,
    }),
  },
});
