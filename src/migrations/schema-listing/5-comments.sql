/* The comments; those of rules are what clients read. */
select format('comment on %s %s is %L;', i.type, i.identity, d.description) as line
  from pg_description d
 cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
 where d.objoid >= 16384 -- below are PostgreSQL's own
   and i.type <> 'extension'
   -- Triggers, policies and rules have the schema of their table.
   and not exists (
     select from pg_namespace n
      where not n.nspname = any (current_setting('listing.schemas')::text[])
        and (
          i.schema = quote_ident(n.nspname)
          or (i.type, i.identity) = ('schema', quote_ident(n.nspname))
          or strpos(i.identity, ' on ' || quote_ident(n.nspname) || '.') > 0
        )
   )
   and not exists (
     select from pg_depend e
      where (e.classid, e.objid, e.deptype) = (d.classoid, d.objoid, 'e')
   )
 order by i.identity collate "C", i.type collate "C";
