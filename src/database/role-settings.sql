/* How the settings of the role that is logged in differ from what sql/roles.sql sets for the role of the service. */
with expected (setting) as (
  values ('statement_timeout=10s'),
         ('lock_timeout=1200ms'),
         ('idle_in_transaction_session_timeout=15s'),
         ('transaction_timeout=20s'),
         ('TimeZone=UTC')
), kept (setting) as (
  select unnest(s.setconfig)
    from pg_catalog.pg_db_role_setting s
    left join pg_catalog.pg_database d on d.oid = s.setdatabase
   where s.setrole = to_regrole(quote_ident(session_user))
     and (s.setdatabase = 0 or d.datname = current_database())
)
select concat_ws('; ',
         'lacks ' || (select string_agg(e.setting, ', ')
                        from expected e
                       where not exists (select from kept k where k.setting = e.setting)),
         'has ' || (select string_agg(k.setting, ', ')
                      from kept k
                     where not exists (select from expected e where e.setting = k.setting))) as difference;
