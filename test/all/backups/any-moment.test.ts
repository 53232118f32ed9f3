import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { pathTo } from "../../support/installed.ts";

/** What is mounted and started ends with the command. */
const APART = ["--mount", "--pid", "--fork"];

/** Debian's PostgreSQL, of whatever version: what is printed is the same for each. */
const servers = "/usr/lib/postgresql";
const version = existsSync(servers)
  ? readdirSync(servers).findLast((it) => existsSync(join(servers, it, "bin/initdb")))
  : undefined;
const isPossible =
  version !== undefined &&
  pathTo("pg_createcluster") !== undefined &&
  spawnSync("unshare", [...APART, "true"]).status === 0;
if (!isPossible) console.warn("The restore to any moment needs root and Debian's postgresql");

/** The blocks of code in a section of the page, as somebody copies them. */
async function blocksIn(heading: string): Promise<readonly string[]> {
  const page = await readFile(join(projectFolder, "docs/backups.md"), "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^( *)```(?:sh|ini)\n(.*?)^ *```$/gms)].map(
    ([, indent = "", code = ""]) =>
      code.replaceAll(new RegExp(`^${indent}`, "gm"), "").replaceAll(/\b18\b/g, version ?? ""),
  );
}

/** A copy of this machine's files, in memory: what is written there is gone at the end. */
const IN_A_COPY = `
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount --rbind /dev /mnt/root/dev
mount -t tmpfs tmpfs /mnt/root/run
exec env -i HOME=/root PATH="$PATH" chroot /mnt/root bash -s`;

/** What a script prints, with what it complains of. */
async function printedBy(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "any-moment-"));
  const file = join(folder, "script");
  await writeFile(file, script);
  const line = `${IN_A_COPY} <${file} 2>&1`;
  const { stdout } = spawnSync("unshare", [...APART, "bash", "-c", line], { encoding: "utf8" });
  await rm(folder, { recursive: true });
  return stdout;
}

(isPossible ? it : it.skip)("the way to any moment works as it is printed", async () => {
  const [prepare, settings, begin, backUp, restore = "", serve] = await blocksIn(
    "A PostgreSQL of your own: any moment",
  );
  const [known] = await blocksIn("Know that it was made");
  const restored = restore
    .replace("backup=/backups/2026-11-21", "backup=/backups/$(date +%F)")
    .replace("<<'EOF'", "<<EOF")
    .replace("2026-11-21 14:29:00+00", "$moment");
  expect(restored.match(/\$moment|date \+%F/g)).toHaveLength(2);

  const printed = await printedBy(`
    set -e
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
