/*
 * What a migration waits for, and who has it. An operator finds a session by its process, role and name:
 * PostgreSQL hides its query from the owner of the database.
 */
select format('a lock on %s, which %s has', coalesce(l.relation::regclass::text, l.locktype),
              string_agg(
                format('process %s (%s, %s)', b.pid, b.usename, coalesce(nullif(b.application_name, ''), 'no name')),
                ' and ' order by b.pid
              )) as what
  from pg_catalog.pg_stat_activity a
  join pg_catalog.pg_locks l on l.pid = a.pid and not l.granted
  join pg_catalog.pg_stat_activity b on b.pid = any (pg_catalog.pg_blocking_pids(a.pid))
 where a.application_name = $1
 group by l.relation, l.locktype;
