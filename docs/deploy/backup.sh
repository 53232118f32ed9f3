#!/bin/sh
# Dumps the database of compose.yaml into this folder every day, says when for Prometheus, and keeps two
# weeks. One that fails is tried again after ten minutes.
set -u
while :; do
  pause=600
  if pg_dump -Fc -f unfinished && mv unfinished "$(date +%F).dump"; then
    echo "parking_backup_time_seconds $(date +%s)" >parking.new && mv parking.new parking.prom
    pause=86400
  fi
  find . -name '*.dump' -mtime +14 -delete
  sleep $pause
done
