#!/bin/sh
# Makes a backup in a folder, says when for Prometheus, and keeps two weeks. The command takes the name
# of the backup last: backup.sh /var/backups/parking parking backup
set -eu
folder=$1
shift
mkdir -p "$folder"
rm -rf "$folder"/unfinished*
"$@" "$folder/unfinished"
cd "$folder"
mv unfinished "$(date +%FT%H%M%S)"
echo "parking_backup_time_seconds $(date +%s)" >parking.new && mv parking.new parking.prom
find . -mindepth 1 -maxdepth 1 -name '2*' -mtime +14 -exec rm -r {} +
