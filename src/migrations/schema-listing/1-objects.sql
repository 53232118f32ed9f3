/* Schemas, and everything in the database that is not a relation, a function or a privilege. */
with
  namespaces as (
    select n.oid, n.nspname as name, n.nspowner as owner
      from pg_namespace n
     where n.nspname = any (current_setting('listing.schemas')::text[])
  ),
  members as (
    select d.classid, d.objid from pg_depend d where d.deptype = 'e'
  ),
  types as (
    select t.*, format('%I.%I', n.name, t.typname) as full_name
      from pg_type t
      join namespaces n on n.oid = t.typnamespace
      left join pg_class c on c.oid = t.typrelid
     where t.typcategory <> 'A'
       and (t.typtype <> 'c' or c.relkind = 'c') -- every table is also a type
       and ('pg_type'::regclass, t.oid) not in (select classid, objid from members)
  ),
  -- Kinds of objects that this project does not have. People must see that there is one.
  others (class, object) as (
    select 'pg_am'::regclass, oid from pg_am
    union all select 'pg_cast'::regclass, oid from pg_cast
    union all select 'pg_collation'::regclass, oid from pg_collation
    union all select 'pg_conversion'::regclass, oid from pg_conversion
    union all select 'pg_event_trigger'::regclass, oid from pg_event_trigger
    union all select 'pg_foreign_data_wrapper'::regclass, oid from pg_foreign_data_wrapper
    union all select 'pg_foreign_server'::regclass, oid from pg_foreign_server
    union all select 'pg_language'::regclass, oid from pg_language
    union all select 'pg_largeobject'::regclass, oid from pg_largeobject_metadata
    union all select 'pg_opclass'::regclass, oid from pg_opclass
    union all select 'pg_operator'::regclass, oid from pg_operator
    union all select 'pg_opfamily'::regclass, oid from pg_opfamily
    union all select 'pg_subscription'::regclass, oid from pg_subscription
    union all select 'pg_transform'::regclass, oid from pg_transform
    union all select 'pg_ts_config'::regclass, oid from pg_ts_config
    union all select 'pg_ts_dict'::regclass, oid from pg_ts_dict
    union all select 'pg_ts_parser'::regclass, oid from pg_ts_parser
    union all select 'pg_ts_template'::regclass, oid from pg_ts_template
  ),
  lines (section, object, line) as (
    select 1, e.extname, format('create extension %I schema %I;', e.extname, n.nspname)
      from pg_extension e
      join pg_namespace n on n.oid = e.extnamespace
     where e.extname <> 'plpgsql'
       -- Only a superuser can make the others, which are for monitoring and not part of the schema.
       and (
         n.nspname in (select s.name from namespaces s where s.name <> 'public')
         or e.extowner = (select s.owner from namespaces s where s.name = 'parking')
         or exists (
           select from pg_available_extension_versions v
            where (v.name, v.version) = (e.extname, e.extversion) and v.trusted
         )
       )
    union all
    select 2, n.name, format('create schema %I;', n.name) from namespaces n
    union all
    select 2, n.name, format('alter schema %I owner to %s;', n.name, n.owner::regrole)
      from namespaces n
     where n.name = 'parking'
        or n.owner <> (select p.owner from namespaces p where p.name = 'parking')
    union all
    select 3, t.full_name, concat_ws(' ',
             case t.typtype when 'd' then 'create domain' else 'create type' end,
             t.full_name,
             case t.typtype
               when 'd' then 'as ' || format_type(t.typbasetype, t.typtypmod)
               when 'e' then (
                 select format('as enum (%s)', string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder))
                   from pg_enum e where e.enumtypid = t.oid)
               when 'r' then (
                 select format('as range (subtype = %s)', format_type(r.rngsubtype, null))
                   from pg_range r where r.rngtypid = t.oid)
               when 'c' then (
                 select format('as (%s)', string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum))
                   from pg_attribute a where a.attrelid = t.typrelid and not a.attisdropped)
             end,
             'default ' || t.typdefault,
             case when t.typnotnull then 'not null' end,
             'owner ' || case when t.typowner <> (select p.owner from namespaces p where p.name = 'parking') then t.typowner::regrole end)
      from types t
    union all
    select 3, t.full_name, format('  constraint %I %s', c.conname, pg_get_constraintdef(c.oid))
      from types t
      join pg_constraint c on c.contypid = t.oid
    union all
    select 4, i.identity, concat_ws(' ', 'create', i.type, i.identity,
             'enabled ' || (select e.evtenabled::text from pg_event_trigger e where (o.class, o.object) = ('pg_event_trigger'::regclass, e.oid)))
      from others o
     cross join lateral pg_identify_object(o.class, o.object, 0) i
     where o.object >= 16384 -- below are PostgreSQL's own
       and (o.class, o.object) not in (select classid, objid from members)
       and (i.schema is null or i.schema in (select quote_ident(n.name) from namespaces n))
    union all
    select 5, p.pubname, format('create publication %I for %s with (insert %s, update %s, delete %s, truncate %s);',
             p.pubname,
             coalesce((select string_agg(format('%I.%I (%s)%s', t.schemaname, t.tablename, array_to_string(t.attnames, ', '), ' where ' || t.rowfilter), ', ' order by 1)
                         from pg_publication_tables t where t.pubname = p.pubname), 'nothing'),
             p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate)
      from pg_publication p
  )
select line
  from lines
 order by section, object collate "C", line collate "C";
