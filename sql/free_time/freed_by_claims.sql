/*
 * A window outlives what published it while it is claimed. Freed, it is on offer only if its owner still shares
 * that time. Mostly nothing has changed, and then this is one look at an index.
 */
create or replace function private.freed_by_claims(windows uuid[])
  returns setof uuid
  language sql
  stable
  security definer -- a claimer may not see a window that is not on offer
  set search_path = ''
as $$
  select distinct a.spot_id
    from parking.availabilities a
   where a.id = any (freed_by_claims.windows)
     and (
       a.offered is not null
       or a.source_id is not null
         and exists (
           select
             from parking.availabilities b
            where b.spot_id = a.spot_id
              and b.source_id = a.source_id
              and (b.end_time = a.start_time or b.start_time = a.end_time)
         )
     )
   order by a.spot_id
$$;

comment on function private.freed_by_claims is
  'The spots of which windows were freed that may not be what is to be on offer now.';
grant execute on function private.freed_by_claims to parking_api;
