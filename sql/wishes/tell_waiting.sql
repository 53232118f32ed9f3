/*
 * What the job does, so that nobody who publishes or cancels waits while thousands are told. An offer ends when
 * its window is no longer free for the wish; who asked is then told of another.
 */
create or replace function private.tell_waiting()
  returns integer
  language plpgsql
  volatile
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  v_window parking.availabilities;
  v_told integer := 0;
begin
  perform private.require_service();
  if pg_relation_size('parking.wishes', 'main') = 0
    or not pg_try_advisory_xact_lock(hashtextextended('parking.wishes', 0)) -- another process is at it
  then
    return 0;
  end if;

  with ended as (
    update parking.wishes w
       set availability_id = null,
           offered_from = null,
           offered_until = null
     where w.id = any (array(
       select o.id
         from parking.wishes o
         left join parking.availabilities a on a.id = o.availability_id
         left join parking.profiles p on p.id = a.owner_id
        where o.claim_id is null
          and o.start_time > clock_timestamp()
          and o.availability_id is not null
          and not coalesce(
            p.is_approved and private.free_times(a) @> tstzrange(o.start_time, o.end_time), false
          )
          for no key update of o skip locked -- one that is being fulfilled or withdrawn
     ))
    returning w.id
  )
  update parking.notifications n
     set resolved_at = now()
    from ended e
   where n.id = e.id
     and n.resolved_at is null;

  for v_window in
    select a.*
      from parking.availabilities a
      join parking.profiles p on p.id = a.owner_id and p.is_approved
     where not a.is_claimed
       and not a.is_hidden
       and a.end_time > clock_timestamp()
       and exists (
         select
           from parking.wishes w
          where w.claim_id is null
            and w.start_time > clock_timestamp()
            and w.start_time >= a.start_time
            and w.start_time < a.end_time
            and w.end_time <= a.end_time
            and (w.availability_id is null and w.created_at < a.free_since or w.updated_at <= a.free_since)
       )
     order by a.free_since, a.id
  loop
    v_told := v_told + private.offer_to_waiting(v_window);
  end loop;
  return v_told;
end;
$$;

comment on function private.tell_waiting is
  'Tells those who wait what became free, ends offers of what is not free any more, and returns how many were told.';
grant execute on function private.tell_waiting to parking_api;
