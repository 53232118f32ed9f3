-- What is due by the clock. The code says when again; these rows are never ended.
insert into private.jobs (kind, lane, key)
select t.kind, t.kind, 'timed'
  from unnest(array['patterns', 'pruning']) t (kind)
 where not exists (
   select from private.jobs j where j.kind = t.kind and j.key = 'timed'
 );
