import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { pathTo } from "../../support/installed.ts";
import { blocksOf } from "./blocks.ts";
import { CADDY, SERVER, SYSTEMCTL } from "./building.ts";
import { describePage } from "./page.ts";

const MAILS = "/tmp/mails";
const { stdout } = spawnSync("pg_dump", ["--version"], { encoding: "utf8" });
const hasDump = Number(/ (\d+)/.exec(stdout ?? "")?.[1]) >= 18;
const hasCaddy = pathTo("caddy") !== undefined;

/** A program of the tests: the house itself has no packages for development. */
const PROJECT_NODE = `${projectFolder}/node_modules/.bin/node --disable-warning=ExperimentalWarning ${import.meta.dirname}`;

/** A mail server on this machine, and a PostgreSQL for a house that has grown. */
const BEFORE = `${SYSTEMCTL}
${PROJECT_NODE}/mailbox.ts 587 ${MAILS} >/tmp/mailbox.log 2>&1 &
${SERVER}
unset PGHOST PGPASSWORD`;

/** Step 4 of operations. */
const EMPTY_DATABASE = `cd /opt/parking
export PGHOST=host PGUSER=postgres PGPASSWORD=… OWNER_PASSWORD=owner API_PASSWORD=api
psql -d postgres -c "create database parking template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'"
psql -d parking -f sql/roles.sql
psql -d parking -c "alter role parking_owner password '$OWNER_PASSWORD'" -c "alter role parking_api password '$API_PASSWORD'"`;

/** Everything of the house that people have. */
const COUNT = `select concat_ws(' ', (select count(*) from parking.profiles), (select count(*) from parking.claims), (select count(*) from identity.accounts), (select count(*) from identity.documents))`;

const SERVED = "curl -s --retry 60 --retry-all-errors --retry-delay 1 http://127.0.0.1:3001/readyz";

describePage("docs/small-house.md", {
  before: BEFORE,
  here: {
    // There is no network, for which npm waits minutes.
    "npm ci --omit=dev && ": "npm ci --omit=dev --offline --no-audit && ",
    "smtp://parking:…@mail.example.org:587": "smtp://127.0.0.1:587",
    "> /etc/caddy/Caddyfile":
      "| sed '1i {\\nlocal_certs\\nskip_install_trust\\n}' > /etc/caddy/Caddyfile",
    "systemctl stop caddy": "caddy stop",
    "identity-secret\nsystemctl start parking@3001": `identity-secret
systemctl start parking@3001
${SERVED}
[ "$(psql -Atc "${COUNT}" "$(parking db-url postgres)")" = "$before" ]`,
    "parking@3001 caddy": `parking@3001
${SERVED}
[ "$(psql -d parking -Atc "${COUNT}")" = "$before" ]`,
    "systemctl reload caddy": CADDY["systemctl reload caddy"],
    "curl -s --retry": "curl -sk --retry-delay 1 --retry",
  },
  first: {
    "systemctl start parking-backup\nls": `${PROJECT_NODE}/newcomers.ts 30 ${MAILS}
before=$(psql -Atc "${COUNT}" "$(parking db-url postgres)")`,
    "pg_dump -Fc": EMPTY_DATABASE,
  },
  notHere: {
    "nodejs.org": "there is no network, and Node comes with the packages",
    "git clone": "the project is there",
    "docker compose": "there are no containers",
    "systemctl --failed": "there is no systemd",
    "git checkout v1.2.0": "there is no such version",
    ...(!hasCaddy && { "systemctl reload caddy": "there is no Caddy", '"status"': "" }),
    ...(!hasDump && { pg_dump: "it needs pg_dump 18", "owner.env": "the same" }),
  },
});

it("asks for fifteen commands at most", () => {
  const page = blocksOf("docs/small-house.md");
  const last = page.findIndex(({ text }) => text.startsWith("parking admin"));
  const commands = page
    .slice(0, last + 1)
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.replace(/<<'END'\n.*?^END$/gms, "").split("\n"))
    .filter((line) => line !== "");
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.length).toBeLessThanOrEqual(15);
});
