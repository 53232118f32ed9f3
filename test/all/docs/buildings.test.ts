import { pathTo } from "../../support/installed.ts";
import { CADDY, SERVER, SYSTEMCTL } from "./building.ts";
import { describePage } from "./page.ts";

/** A column that one building has already: its migration fails. */
const MIGRATION = `npm run -s building -- create ash_street >ash_street.urls
psql -U postgres -d ash_street -c 'alter table parking.spots add column floor text'
cat >>sql/spots/table.sql <<'END'

alter table parking.spots
  add column if not exists floor text;

comment on column parking.spots.floor is 'The floor.';
END
echo 'alter table parking.spots add column floor text;' >migrations/current.sql
npm run -s db:commit -- --message "spots have floors"`;

describePage("docs/buildings.md", {
  before: `${SERVER}
psql -U postgres -d postgres -c 'drop role cloudadmin'
${SYSTEMCTL}
npm run build
install -d -m 700 /etc/parking
printf 'AUTH_ISSUER=https://login.example.org\\nAUTH_AUDIENCE=parking-api\\n' >/etc/parking/parking.env
cp docs/deploy/parking@.service /etc/systemd/system/
sed '1i {\\nlocal_certs\\nskip_install_trust\\n}' docs/deploy/Caddyfile >/etc/caddy/Caddyfile`,
  psql: "psql -U $as -d postgres",
  first: {
    "building -- list": "npm run -s building -- create oak_street >oak_street.urls",
    "building -- migrate elm_street": MIGRATION,
  },
  here: CADDY,
  notHere: pathTo("caddy") ? {} : { "import parking_proxy": "there is no Caddy" },
});
