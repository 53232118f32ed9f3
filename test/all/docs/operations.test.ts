import { pathTo } from "../../support/installed.ts";
import { CADDY, SERVER, SYSTEMCTL } from "./building.ts";
import { describePage } from "./page.ts";

/** Ada, as she is after she registered with a confirmed address. */
const REGISTERED = `psql -d parking -v ON_ERROR_STOP=1 >/dev/null <<'END'
insert into private.users (id, email, email_confirmed_at)
values ('0192f0c0-0000-7000-8000-000000000001', 'ada@example.org', now());
insert into parking.profiles (id, email, apartment_number)
values ('0192f0c0-0000-7000-8000-000000000001', 'ada@example.org', '1');
END`;

const has = (...programs: readonly string[]): boolean => programs.every((it) => pathTo(it));

describePage("docs/operations.md", {
  before: `${SERVER}\n${SYSTEMCTL}`,
  psql: "psql -U postgres -d parking -c 'set role parking_owner'",
  first: { "parking admin": REGISTERED },
  notHere: {
    "nodejs.org": "there is no network, and Node comes with the packages",
    "apt.postgresql.org": "there is no network, and PostgreSQL comes with the packages",
    "git clone": "the project is there",
    "check-token": "it takes a token of a provider: test/all/commands/check-token.test.ts",
    "docker compose": "there are no containers",
    "npm install @opentelemetry": "there is no network",
    OTEL_SERVICE_NAME: "the same",
    ...(!has("caddy") && { "apt-get install -y caddy": "there is no Caddy", '"version"': "" }),
    ...(!has("prometheus") && { "apt-get install -y prometheus": "there is none", '"value"': "" }),
  },
  here: {
    // A file of settings is read with its certificate.
    "sslrootcert=/etc/parking/root.crt\n": "sslrootcert=/etc/ssl/certs/ca-certificates.crt\n",
    "apt-get install -y caddy": "",
    "apt-get install -y prometheus": "",
    "> /etc/caddy/Caddyfile ":
      "| sed '1i {\\nlocal_certs\\nskip_install_trust\\n}' > /etc/caddy/Caddyfile ",
    ...CADDY,
    "systemctl restart prometheus": `(cd /etc/prometheus && prometheus --config.file=prometheus.yml --storage.tsdb.path=/tmp/tsdb >/tmp/prometheus.log 2>&1 &)
until curl -s 'http://127.0.0.1:9090/api/v1/query?query=count(parking_database_up)' | grep '"2"'; do sleep 1; done`,
  },
});
