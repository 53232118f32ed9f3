-- Jobs that are due by the clock. The code says when they run again; these rows never end.
insert into private.jobs (kind, lane, key)
select t.kind, t.kind, 'timed'
  from unnest(array['patterns', 'pruning']) t (kind)
 where not exists (
   select from private.jobs j where j.kind = t.kind and j.key = 'timed'
 );
