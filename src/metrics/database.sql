/* What the database says about itself. The service's role sees only its own transactions, but all locks. */
select pg_catalog.pg_database_size(d.oid)::float8 as size_bytes,
       pg_catalog.pg_stat_get_db_numbackends(d.oid)::float8 as connections,
       pg_catalog.current_setting('max_connections')::float8 as connections_max,
       own.*,
       (select count(distinct l.relation)::float8
          from pg_catalog.pg_locks l
          join pg_catalog.pg_class c on c.oid = l.relation and c.relkind = 'r'
          join pg_catalog.pg_stat_activity o on o.pid = l.pid
         where l.database = d.oid
           and c.oid >= 16384 -- not those of PostgreSQL itself
           and l.granted
           and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
           and o.usename <> current_user) as tables_locked_by_others,
       extract(epoch from now() - r.last_archived_time)::float8 as archive_age_seconds,
       case when r.last_archived_time is not null or r.last_failed_time is not null
            then coalesce(r.last_failed_time > r.last_archived_time, r.last_archived_time is null)::integer
       end as archive_fails
  from pg_catalog.pg_database d
 cross join pg_catalog.pg_stat_archiver r
 cross join (
         select coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8
                  as oldest_transaction_seconds,
                count(*) filter (where a.wait_event = 'SyncRep')::float8 as waiting_commits,
                coalesce(extract(epoch from now() - min(a.query_start)
                  filter (where a.wait_event = 'SyncRep')), 0)::float8
                  as oldest_waiting_commit_seconds
           from pg_catalog.pg_stat_activity a
          where a.usename = current_user and a.pid <> pg_catalog.pg_backend_pid()) own
 where d.datname = pg_catalog.current_database();
