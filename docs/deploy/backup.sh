#!/bin/sh
# Makes a backup in a folder, says when for Prometheus, and keeps two weeks. The command takes the name
# of the backup last: backup.sh /var/backups/parking parking backup
set -eu
mkdir -p "$1" && cd "$1"
shift
rm -rf unfinished*
"$@" "$PWD/unfinished"
mv unfinished "$(date +%FT%H%M%S)"
echo "parking_backup_time_seconds $(date +%s)" >parking.new && mv parking.new parking.prom
find . -mindepth 1 -maxdepth 1 -name '2*' -mtime +14 -exec rm -r {} +
