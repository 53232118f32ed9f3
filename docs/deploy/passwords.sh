#!/bin/sh
# Gives the roles of sql/roles.sql their passwords when the database of compose-server.yaml is made.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v owner="$OWNER_PASSWORD" -v api="$API_PASSWORD" <<'SQL'
alter role parking_owner password :'owner';
alter role parking_api password :'api';
SQL
