create or replace function private.restore_window(taken private.exception_changes, span tstzrange)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  -- What is left before it or after it has its time back.
  update parking.availabilities a
     set start_time = least(a.start_time, lower(span)),
         end_time = greatest(a.end_time, upper(span))
   where a.id = (
           select p.id
             from parking.availabilities p
            where p.id in (taken.window_id, taken.rest_id)
              and (p.end_time = lower(span) or p.start_time = upper(span))
              and not p.is_claimed
            order by p.start_time
            limit 1
         );

  -- One that was withdrawn and not deleted (private.withdraw_window) comes back itself.
  if not found and taken.pattern_id is null then
    update parking.availabilities a
       set start_time = lower(span),
           end_time = upper(span)
     where a.id = taken.window_id
       and a.end_time = a.start_time + interval '1 millisecond'
       and not a.is_claimed;
  end if;

  if not found then
    insert into parking.availabilities
      (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
    select s.id, s.owner_id, lower(span), upper(span), taken.pattern_id, taken.pattern_day
      from parking.spots s
     where s.id = taken.spot_id
       and (taken.pattern_id is null or private.is_of_pattern(taken.pattern_id, taken.pattern_day, span))
    returning id into v_id;
    perform private.note_restored(taken.window_id, v_id);
  end if;
end;
$$;

comment on function private.restore_window is
  'Offers a time again that was taken from a window: as part of what is left of it, or as a window of its own.';
grant execute on function private.restore_window to parking_api;
