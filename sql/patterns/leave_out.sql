/*
 * What the owner or an administrator withdrew by hand does not come back when its pattern is changed:
 * the whole day, whatever its new hours, or no more than a piece where something else of the day stays.
 */
create or replace function private.leave_out(pattern_id uuid, day date, during tstzrange)
  returns void
  language plpgsql
  volatile
  security definer -- an administrator may not write the owner's pattern
  set search_path = ''
as $$
declare
  v_is_piece constant boolean := exists (
    select
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
     where p.id = leave_out.pattern_id
       and a.pattern_day = leave_out.day
  );
begin
  update parking.patterns p
     set left_out = case when v_is_piece then p.left_out else p.left_out || leave_out.day end,
         left_out_times = case
           when v_is_piece then array(
             select unnest(range_agg(t)) from unnest(p.left_out_times || leave_out.during) t
           )
           else p.left_out_times
         end
   where p.id = leave_out.pattern_id
     and leave_out.day between private.utc_day(now()) - 2 and p.published_until
     and leave_out.during <@ tstzrange(
       leave_out.day - interval '1 day',
       leave_out.day + interval '3 days' -- it may end on the next day, and far from UTC
     )
     and leave_out.day <> all (p.left_out)
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out is
  'Keeps a pattern from publishing a withdrawn window of a day again, for its owner or an administrator with a reason.';
grant execute on function private.leave_out to parking_api;
