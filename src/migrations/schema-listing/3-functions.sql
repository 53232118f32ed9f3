/* Functions, procedures and aggregates, but not those of extensions. */
select case p.prokind
         -- pg_get_functiondef does not support aggregates.
         when 'a' then format('create aggregate %s (sfunc = %s, stype = %s, initcond = %L, finalfunc = %s, combinefunc = %s, sortop = %s);',
           p.oid::regprocedure, a.aggtransfn::regprocedure, format_type(a.aggtranstype, null), a.agginitval,
           a.aggfinalfn::regprocedure, a.aggcombinefn::regprocedure, a.aggsortop::regoperator)
         else pg_get_functiondef(p.oid) || ';'
       end
       || case when p.proowner <> (select s.nspowner from pg_namespace s where s.nspname = 'parking') then format(' -- owner %s', p.proowner::regrole) else '' end as line
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  left join pg_aggregate a on a.aggfnoid = p.oid
 where n.nspname = any (current_setting('listing.schemas')::text[])
   and not exists (
     select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
   )
 order by p.oid::regprocedure::text collate "C";
