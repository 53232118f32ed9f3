import { DATABASE, DEMO, NO_DATABASE, SERVER } from "./building.ts";
import { describePage } from "./page.ts";

const OWNER = "OWNER_DATABASE_URL=postgres://parking_owner:…@host/parking npm run -s migrate";

const RULE = "sql/claims/rules/claims_last_a_day_at_most.sql";

/** What the texts about claims presuppose: windows of Maria's on a day, and claims of them. */
const CLAIMS = `api=http://127.0.0.1:3000/api
for name in ada maria omar lena; do declare $name=$(npm run -s token -- $name@demo.example); done
as() { curl -s -w '\\n' -H "Authorization: Bearer \${!1}" -H "Content-Type: application/json" "\${@:2}"; }
ids() { grep -oE '"id" ?: ?"[0-9a-f-]{36}' | grep -oE '[0-9a-f-]{36}'; }
from() { date -u -d "$1 days" +%FT00:00:00Z; }
to() { date -u -d "$1 days" +%FT02:00:00Z; }
spot=$(as maria "$api/parking-spots?limit=1&owner_id=$(as maria $api/profile | ids | head -1)" | ids | head -1)
free() { as maria $api/availabilities -d "{\\"spot_id\\":\\"$spot\\",\\"start_time\\":\\"$(from $1)\\",\\"end_time\\":\\"$(to $1)\\"}" | ids; }
claim() { as $1 $api/claims -d "{\\"availability_id\\":\\"$2\\",\\"start_time\\":\\"$(from $3)\\",\\"end_time\\":\\"$(to $3)\\"}"; }
complete() { as $1 -X PUT $api/claims/$2 -d '{"status":"completed"}'; }`;

/** Ada's clone, whose migration is on the main branch, and Omar's, this one, which has another. */
const TWO_DBAS = `git config --global user.name Omar; git config --global user.email omar@demo.example
git init -q --bare -b main /srv/origin
git add -A && git commit -qm "Let claims last longer again"
git remote add origin /srv/origin; git push -qu origin main
git clone -q /srv/origin /opt/ada
mkdir /opt/ada/node_modules; mount --bind node_modules /opt/ada/node_modules
rule() { printf "alter table parking.$2 drop constraint if exists $1, add constraint $1 check ($3) not valid;\\ncomment on constraint $1 on parking.$2 is 'That is too long or too short';\\n" >sql/$2/rules/$1.sql; npm run -s db:commit -- --message "$(echo $1 | tr _ ' ')"; git add -A; git commit -qm "$1"; }
(cd /opt/ada && rule claims_last_an_hour_at_least claims "end_time >= start_time + interval '1 hour'" && git push -q)
rule availabilities_last_a_month_at_most availabilities "end_time <= start_time + interval '31 days'"`;

/** A report that reads claims, and ends once the first attempt of the migration has given way. */
const REPORT = `psql -d "postgres://parking_owner:…@host/parking?application_name=monthly%20report" \\
  -c 'begin' -c 'select from parking.claims limit 1' -c 'do $$ begin
    while not exists (select from pg_locks where not granted) loop perform pg_sleep(0.1); end loop;
  end $$' -c 'select pg_sleep(2.5)' >/dev/null &`;

const RESTART = `npm start >/tmp/service.log 2>&1 & service=$!
curl -s --retry 100 --retry-connrefused --retry-delay 1 http://127.0.0.1:3000/readyz`;
const STOP = "kill $service; wait $service";

describePage("docs/dba.md", {
  before: `${SERVER}\n${DATABASE}\n${OWNER}\n${DEMO}\nservice=$!`,
  endless: { "npm run -s db:watch": 'db:commit -- --message "claims last a day' },
  first: {
    [`alter table parking.claims
  drop constraint if exists claims_last`]:
      "git checkout -q sql; sleep 1; git checkout -q migrations/current.sql",
    "git pull -q --rebase": TWO_DBAS,
    "rm -r migrations/committed": STOP,
    "cp test/house/sample": RESTART,
    "create database parking template": `${RESTART}\n${NO_DATABASE}`,
    "create database elm_street": `${NO_DATABASE}
CLUSTER_DATABASE_URL=postgres://cloudadmin:…@host/postgres npm run -s building -- create oak_street`,
    "parking_owner:…@host/parking npm run -s check:drift": `${NO_DATABASE}
${DATABASE}\n${OWNER}
psql -U postgres -d parking -c 'drop index parking.claims_claimer_id_start_time_idx' -c 'set role parking_owner' -c 'create table parking.mine (a integer)'`,
    [`${OWNER}\n`]: REPORT,
  },
  here: {
    "AUTH_ISSUER=… AUTH_AUDIENCE=… NODE_ENV=production npm start":
      "AUTH_ISSUER=https://login.example.org AUTH_AUDIENCE=parking NODE_ENV=production PORT=3001 timeout 60 npm start & curl -s --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:3001/readyz",
  },
  printedBy: {
    '{"error":"Another resident': `${CLAIMS}\nwindow=$(free 70); claim lena $window 70 >/dev/null; claim omar $window 70`,
    [`${RULE}:4: syntax`]: `cp ${RULE} /tmp/rule; sed -i 's/check (/chek (/' ${RULE}
until grep -q chek $printing; do sleep 0.1; done; cp /tmp/rule ${RULE}
until sed -n '/chek/,$p' $printing | grep -q applied; do sleep 0.1; done; sed -n '/chek/,$p' $printing`,
    // A claim that runs ends now where the rest stays on offer, and may then last less than a rule of the page wants.
    '{"claim":{"id"': `${CLAIMS}\nas ada -X PUT $api/admin/building -d '{"rest_stays_on_offer":false}' >/dev/null
for id in $(as lena "$api/claims?status=active&limit=200&claimer_id=$(as lena $api/profile | ids | head -1)" | ids); do complete lena $id >/dev/null; done
for day in 81 82 83; do claim lena $(free $day) $day; done`,
    "This database ran another form": `${STOP}
cp -a migrations /tmp/migrations; echo '-- Edited.' >>migrations/committed/000001-foundation.sql
npm start; rm -r migrations; mv /tmp/migrations migrations`,
    'ERROR:  role "nobody"': `psql -U postgres -d postgres -c "create role nobody login password '…'" -c "create database plain owner cloudadmin template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'" >/dev/null
for of in nobody:plain cloudadmin:postgres cloudadmin:plain; do psql -U \${of%:*} -d \${of#*:} -f sql/roles.sql 2>&1 | grep ERROR; done
psql -U postgres -d postgres -c 'drop database plain' -c 'drop role nobody' >/dev/null`,
    "WARNING:  large objects": "psql -U cloudadmin -d parking -f sql/roles.sql 2>&1 | grep WARNING",
    'ERROR:  database "parking" is of': `(${NO_DATABASE}; ${DATABASE}; ${OWNER}) >/dev/null 2>&1
psql -U cloudadmin -d postgres -c "create database elm_street2 template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'" >/dev/null
psql -U cloudadmin -d elm_street2 -c "set parking.building = 'elm_street2'" -f sql/roles.sql 2>&1 | grep ERROR
psql -U postgres -d postgres -c 'drop database elm_street2' >/dev/null`,
  },
});
