/*
 * Tables, views and sequences. Columns are sorted by name, because a column that is added later
 * comes last in its table and means the same. Foreign keys come in the order in which they were
 * made, because they act in that order.
 */
with
  relations as (
    select c.*, format('%I.%I', n.nspname, c.relname) as full_name, c.relkind as kind
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and n.nspname = any (current_setting('listing.schemas')::text[])
       and not exists (
         select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
       )
  ),
  columns as (
    select r.full_name, r.kind, a.attname as name,
           concat_ws(' ',
             format('%I', a.attname),
             format_type(a.atttypid, a.atttypmod),
             case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
             case a.attgenerated
               when 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
               when 'v' then format('generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid))
               else 'default ' || pg_get_expr(d.adbin, d.adrelid)
             end,
             case when a.attidentity <> '' then 'identity' end,
             (select case when c.conname <> concat_ws('_', r.relname, a.attname, 'not_null') then format('constraint %I ', c.conname) else '' end
                  || 'not null'
                  || case when not c.convalidated then ' not valid' else '' end
                  || case when c.connoinherit then ' no inherit' else '' end
                from pg_constraint c
               where c.conrelid = r.oid and c.contype = 'n' and c.conkey = array[a.attnum]),
             case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end,
             case when a.attcompression <> '' then 'compression ' || a.attcompression::text end,
             'statistics ' || a.attstattarget,
             'options ' || a.attoptions::text
           ) as definition,
           (d.adbin, a.attstattarget, a.attoptions) is distinct from (null, null, null) as is_changed
      from relations r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where r.kind <> 'S'
  ),
  indexes as (
    select i.*, c.conname,
           pg_get_indexdef(i.indexrelid) || coalesce((
             select ' statistics ' || string_agg(a.attnum || ' ' || a.attstattarget, ', ' order by a.attnum)
               from pg_attribute a
              where a.attrelid = i.indexrelid and a.attstattarget is not null), '') as definition,
           -- What the definition of a constraint does not say about its index.
           case when c.conname is not null then
             coalesce(' with (' || array_to_string(x.reloptions, ', ') || ')', '')
             || coalesce(' tablespace ' || (select t.spcname from pg_tablespace t where t.oid = x.reltablespace), '')
           else '' end as storage,
           case when not (i.indisvalid and i.indisready and i.indislive) then ' -- invalid' else '' end
           || case when i.indisclustered then ' -- clustered' else '' end
           || case when i.indisreplident then ' -- replica identity' else '' end as state
      from pg_index i
      join pg_class x on x.oid = i.indexrelid
      left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
  ),
  lines (object, part, rank, line) as (
    select r.full_name, 0, 0, concat_ws(' ', 'create',
             case r.relpersistence when 'u' then 'unlogged' end,
             case r.kind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end,
             r.full_name,
             'with (' || array_to_string(r.reloptions, ', ') || ')',
             'partition by ' || pg_get_partkeydef(r.oid),
             case when r.relispartition then pg_get_expr(r.relpartbound, r.oid) end,
             (select 'inherits ' || string_agg(h.inhparent::regclass::text, ', ' order by h.inhseqno) from pg_inherits h where h.inhrelid = r.oid),
             case when r.relam not in (0, 2) then 'using ' || (select am.amname from pg_am am where am.oid = r.relam) end,
             case when r.reltablespace <> 0 then 'tablespace ' || (select s.spcname from pg_tablespace s where s.oid = r.reltablespace) end,
             case when r.relreplident not in ('d', 'n') then 'replica identity ' || r.relreplident::text end,
             case when r.relowner <> (select n.nspowner from pg_namespace n where n.nspname = 'parking') then 'owner ' || r.relowner::regrole end,
             (select format('as %s start %s minimum %s maximum %s increment %s cache %s %s', s.seqtypid::regtype, s.seqstart, s.seqmin, s.seqmax, s.seqincrement, s.seqcache, s.seqcycle)
                from pg_sequence s where s.seqrelid = r.oid),
             case when r.kind in ('v', 'm') then 'as' end)
      from relations r
    union all
    select c.full_name, 1, row_number() over (order by c.name), '  ' || c.definition
      from columns c where c.kind not in ('v', 'm')
    union all
    select r.full_name, 1, 0, pg_get_viewdef(r.oid) from relations r where r.kind in ('v', 'm')
    union all
    select c.full_name, 2, row_number() over (order by c.name), '  ' || c.definition
      from columns c where c.kind in ('v', 'm') and c.is_changed
    union all
    select r.full_name, 2, 0, 'enable row level security' || case when r.relforcerowsecurity then ', forced' else '' end
      from relations r where r.relrowsecurity or r.relforcerowsecurity
    union all
    select r.full_name, 3,
           row_number() over (order by c.contype, case when c.contype = 'f' then c.oid end, c.conname),
           format('  constraint %I %s', c.conname, pg_get_constraintdef(c.oid)) || coalesce(i.storage || i.state, '')
      from relations r
      join pg_constraint c on c.conrelid = r.oid
      left join indexes i on i.conname = c.conname and i.indrelid = r.oid
     where c.contype not in ('n', 't') -- not null stands with its column, constraint triggers below
    union all
    select r.full_name, 4, row_number() over (order by i.definition), '  ' || i.definition || i.state
      from relations r
      join indexes i on i.indrelid = r.oid and i.conname is null
    union all
    select r.full_name, 5, 0, '  ' || pg_get_statisticsobjdef(s.oid) || coalesce(' statistics ' || s.stxstattarget, '')
      from relations r
      join pg_statistic_ext s on s.stxrelid = r.oid
    union all
    select r.full_name, 6, row_number() over (order by t.tgname),
           '  ' || pg_get_triggerdef(t.oid, true) || case t.tgenabled when 'O' then '' else ' -- ' || t.tgenabled::text end
      from relations r
      join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    -- The names of foreign keys' triggers end in a number that differs between databases.
    select r.full_name, 7, 0, format('  trigger of constraint %I (%s) -- %s', c.conname, t.tgfoid::regproc, t.tgenabled)
      from relations r
      join pg_trigger t on t.tgrelid = r.oid and t.tgisinternal and t.tgenabled <> 'O'
      join pg_constraint c on c.oid = t.tgconstraint
    union all
    select r.full_name, 8, 0, '  ' || pg_get_ruledef(w.oid) || case w.ev_enabled when 'O' then '' else ' -- ' || w.ev_enabled::text end
      from relations r
      join pg_rewrite w on w.ev_class = r.oid and w.rulename <> '_RETURN'
    union all
    select r.full_name, 9, row_number() over (order by p.polname),
           '  ' || concat_ws(' ', 'policy', format('%I', p.polname),
             case when p.polpermissive then 'permissive' else 'restrictive' end,
             'for', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
             'to', (select string_agg(case o.role when 0 then 'public' else o.role::regrole::text end, ', ' order by 1) from unnest(p.polroles) as o (role)),
             'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
             'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
      from relations r
      join pg_policy p on p.polrelid = r.oid
  )
select line
  from lines
 order by object collate "C", part, rank, line collate "C";
