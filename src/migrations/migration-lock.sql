/* The processes with the advisory lock that graphile-migrate holds while it migrates. */
select format('process %s (%s, %s)', b.pid, b.usename, coalesce(nullif(b.application_name, ''), 'no name')) as what
  from pg_catalog.pg_locks l
  join pg_catalog.pg_stat_activity b on b.pid = l.pid
 where l.locktype = 'advisory' and l.granted
   and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
   and (l.classid::bigint << 32 | l.objid::bigint) = 4727445306447283;
