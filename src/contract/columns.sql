/*
 * The comments of tables and columns without their tags, and the checks of each column. A table has its
 * own row, without a column.
 */
select concat_ws('.', c.relname, a.attname) as name,
       a.attname as column,
       coalesce(
         regexp_replace(
           case when a.attnum is null then obj_description(c.oid, 'pg_class') else col_description(c.oid, a.attnum) end,
           '^(?:@[^\n]*\n)+', ''
         ),
         ''
       ) as description,
       array(
         select pg_get_constraintdef(k.oid)
           from pg_catalog.pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
       ) as checks
  from pg_catalog.pg_class c
  cross join lateral (
    select null as attnum, null as attname
     union all
    select a.attnum, a.attname::text
      from pg_catalog.pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) a
 where c.relnamespace in (to_regnamespace('parking'), to_regnamespace('private'))
   -- Our tables have policies. A DBA's copy of the same name in the other schema has none.
   and (c.relrowsecurity or c.relkind = 'v');
