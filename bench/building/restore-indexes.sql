/* Makes again what drop-indexes.sql dropped, with its comments: they are the messages of rules. */
set maintenance_work_mem = '1GB';

do $$
declare
  v_dropped dropped;
begin
  for v_dropped in select * from dropped order by is_reference loop
    execute v_dropped.definition;
    if v_dropped.kind = 'constraint' then
      execute format(
        'comment on constraint %s on %s is %L', v_dropped.name, v_dropped."table", v_dropped.comment
      );
    else
      execute format('comment on index %s is %L', v_dropped.name, v_dropped.comment);
    end if;
  end loop;
end;
$$;

-- fill.sql keeps them; a look at each of seven million rows takes minutes.
update pg_constraint
   set convalidated = true
 where conrelid in ('parking.availabilities'::regclass, 'parking.claims'::regclass)
   and contype = 'f';
drop table dropped;
reset maintenance_work_mem;
