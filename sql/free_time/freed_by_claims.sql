/*
 * A claimed window outlives the source that published it. When its claim ends, it is on offer only if its owner
 * still shares that time. Mostly its source still says just that.
 */
create or replace function private.freed_by_claims(windows uuid[])
  returns setof uuid
  language plpgsql
  stable
  security definer -- a claimer may not see a window that is not on offer
  set search_path = ''
as $$
begin
  perform private.require_trigger();
  return query
  select distinct a.spot_id
    from parking.availabilities a
   where a.id = any (freed_by_claims.windows)
     and (
       a.offered is not null
       -- An old snapshot shows no plans of today: private.lock_spot_to_reconcile fails then.
       or current_setting('transaction_isolation') <> 'read committed'
       or a.source_id is not null
         and (
           select (s.source_id, s.span) = (a.source_id, a.during)
             from private.source_spans(a.spot_id, a.during) s
            where s.span && a.during
            order by s.rank
            limit 1
         ) is not true
     )
   order by a.spot_id;
end;
$$;

comment on function private.freed_by_claims is
  'The spots of those of these freed windows that may differ from what is to be on offer now.';
grant execute on function private.freed_by_claims to parking_api;
