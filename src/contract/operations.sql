/* The functions of schema api that this role may call. */
select p.proname as name,
       coalesce(p.proargnames[:p.pronargs], '{}') as arguments,
       p.pronargs - p.pronargdefaults as required,
       case
         when t.typrelid = 0 then array(
           select a.name
             from unnest(p.proargnames, p.proargmodes) a (name, mode)
            where a.mode in ('o', 'b', 't')
         )
         else array(
           select a.attname::text
             from pg_catalog.pg_attribute a
            where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
         )
       end as columns,
       obj_description(p.oid, 'pg_proc') as comment
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type t on t.oid = p.prorettype
 where n.nspname = 'api'
   and has_schema_privilege(n.oid, 'usage')
   and has_function_privilege(p.oid, 'execute');
