/* The comments; those of rules are what clients read. */
select format('comment on %s %s is %L;', i.type, i.identity, d.description) as line
  from pg_description d
 cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
 where d.objoid >= 16384 -- below are PostgreSQL's own
   and i.schema is distinct from 'graphile_migrate'
   and i.type <> 'extension'
   and i.identity !~ '^graphile_migrate(\.|$)'
   and not exists (
     select from pg_depend e
      where (e.classid, e.objid, e.deptype) = (d.classoid, d.objoid, 'e')
   )
 order by i.identity collate "C", i.type collate "C";
