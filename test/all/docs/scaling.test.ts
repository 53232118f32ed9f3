import { pathTo } from "../../support/installed.ts";
import { DATABASE, MIGRATED, SERVER } from "./building.ts";
import { describePage } from "./page.ts";

if (pathTo("pgbouncer"))
  describePage("docs/scaling.md", {
    before: `${SERVER}\n${DATABASE}\n${MIGRATED}`,
    here: {
      "apt-get install -y haproxy": "mkdir -p /etc/haproxy",
      "systemctl restart haproxy": "! type -P haproxy || haproxy -c -f /etc/haproxy/haproxy.cfg",
      "apt-get install -y pgbouncer": "",
      "systemctl restart pgbouncer": `setpriv --reuid=postgres --clear-groups pgbouncer -q /etc/pgbouncer/pgbouncer.ini &
until (echo >/dev/tcp/127.0.0.1/6432) 2>/dev/null; do sleep 0.1; done`,
    },
  });
