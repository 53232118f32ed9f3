import { describePage } from "./page.ts";

const NO_19 = "there is no PostgreSQL 19 yet";

describePage("docs/upgrades.md", {
  notHere: {
    "bin/pg_upgrade": NO_19,
    "vacuumdb -U postgres": NO_19,
    "create publication upgrade": NO_19,
    "drop subscription upgrade": NO_19,
  },
});
