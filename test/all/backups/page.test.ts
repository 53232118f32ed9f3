import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { pathTo } from "../../support/installed.ts";
import { blocksIn, canCopyMachine, printedInCopy } from "../../support/machine-copy.ts";

/** Debian's PostgreSQL, of whatever version: what is printed is the same for each. */
const servers = "/usr/lib/postgresql";
const version = existsSync(servers)
  ? readdirSync(servers).findLast((it) => existsSync(join(servers, it, "bin/initdb")))
  : undefined;
const hasServer = version !== undefined && pathTo("pg_createcluster") !== undefined;
const canCopy = canCopyMachine();
if (!canCopy) console.warn("The commands of docs/backups.md are not run: that needs root");
if (!hasServer) console.warn("The way to any moment is not run: it needs Debian's postgresql");

(canCopy ? it : it.skip)(
  "the embedded PostgreSQL is backed up and restored as it is printed",
  async () => {
    const [backUp, restore = ""] = await blocksIn("docs/backups.md", "The embedded PostgreSQL");
    expect(restore).toContain("<id>");
    const printed = await printedInCopy(`
    cd ${projectFolder}
    rm -rf .data /backups
    export PORT=0
    start() {
      npm start >/tmp/started 2>&1 &
      until grep -q 'Parking spots are shared' /tmp/started; do
        kill -0 $! || { cat /tmp/started; exit 1; }
        sleep 0.2
      done
    }
    people() { psql "$(npm run -s db:url -- postgres)" -Atc "select $1 from private.users"; }
    start
    id=$(people 'max(id::text)')
    echo "$(people 'count(*)') people"
    ${backUp}
    kill $!
    wait $! || true
    ${restore.replace("<id>", '"$id"').replace("npm start\n", "start\n")}
    echo "$(people 'count(*), count(erased_at)') erased"`);
    const [, people] = /^(\d+) people$/m.exec(printed) ?? [];
    expect(printed).toMatch(
      /^\/backups\/2026-11-21 has the database, with \d+ people, \d+ spots and \d+ claims, and was read completely\.$/m,
    );
    expect(printed).toMatch(new RegExp(`^${people}\\|1 erased$`, "m"));
  },
);

/** With the version of this machine. */
const blocksHere = async (heading: string): Promise<readonly string[]> =>
  (await blocksIn("docs/backups.md", heading)).map((it) => it.replaceAll(/\b18\b/g, `${version}`));

(canCopy && hasServer ? it : it.skip)("the way to any moment works as it is printed", async () => {
  const [prepare, settings, begin, backUp, restore = "", serve] = await blocksHere(
    "A PostgreSQL of your own: any moment",
  );
  const [known] = await blocksHere("Know that it was made");
  const restored = restore
    .replace("backup=/backups/2026-11-21", "backup=/backups/$(date +%F)")
    .replace("<<'EOF'", "<<EOF")
    .replace("2026-11-21 14:29:00+00", "$moment");
  expect(restored.match(/\$moment|date \+%F/g)).toHaveLength(2);

  const printed = await printedInCopy(`
    rm -rf /etc/postgresql/* /var/lib/postgresql/* /archive /backups /root/.pgpass
    mkdir -p /var/lib/prometheus/node-exporter
    pg_createcluster ${version} main --port 5432 --start
    sql() { runuser -u postgres -- psql -X --cluster ${version}/$1 -Atc "$2"; }
    files() { sql $1 'select archived_count > 0, failed_count from pg_stat_archiver'; }
    ${prepare}
    cat >/etc/postgresql/${version}/main/conf.d/archive.conf <<'END'
${settings}END
    ${begin}
    echo "archived: $(files main)"
    sql main "create table kept as select 'before the backup' as text"
    mv /root/.pgpass /root/.away
    pg_basebackup -w -h 127.0.0.1 -U backup -D /backups/refused && exit 1
    mv /root/.away /root/.pgpass
    (
      ${backUp}
    )
    ${known}
    cat /var/lib/prometheus/node-exporter/parking.prom
    sql main "insert into kept values ('after the backup')"
    moment=$(sql main 'select clock_timestamp()')
    sql main 'delete from kept'
    sql main 'select pg_switch_wal()'
    sleep 2
${restored}
    until [ "$(sql restored 'select pg_is_in_recovery()')" = f ]; do sleep 0.2; done
    sql restored 'table kept'
    echo "a rehearsal: $(sql restored 'show archive_mode')"
    (
      ${serve}
    )
    echo "in earnest: $(sql restored 'show archive_mode') $(sql restored 'show port') $(files restored)"
    rm -r /backups/*
    (
      ${backUp?.replaceAll("/main", "/restored")}
    )
    echo "the end"`);
  const expected = [
    /^archived: t\|0$/m,
    /fe_sendauth: no password supplied/,
    /^backup successfully verified$/m,
    /^parking_backup_time_seconds \d+$/m,
    /^before the backup\nafter the backup\na rehearsal: off$/m,
    /^in earnest: on 5432 t\|0$/m,
    /^backup successfully verified\nthe end$/m,
  ];
  for (const line of expected) expect(printed).toMatch(line);
});
