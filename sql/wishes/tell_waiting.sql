/*
 * What the job does, so that nobody who publishes or cancels waits while thousands are told. One call ends the
 * offers of what is not free any more, or offers one window: it is short, and touches one wish of a person, so
 * that it makes no deadlock with what they do meanwhile. The job calls it until nothing is left.
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

  delete from private.known_windows k
   where not exists (
     select
       from private.fitting_windows f
      where f.wish_id = k.wish_id
        and f.availability_id = k.availability_id
   );

  -- Who asked is then told of another.
  with gone as (
    select distinct on (w.wisher_id) w.id
      from parking.wishes w
     where w.claim_id is null
       and w.start_time > now()
       and w.availability_id is not null
       and not exists (
         select
           from private.fitting_windows f
          where f.wish_id = w.id
            and f.availability_id = w.availability_id
       )
     order by w.wisher_id, w.id
  ),
  ended as (
    update parking.wishes w
       set availability_id = null,
           offered_from = null,
           offered_until = null
     where w.id = any (array(
       select o.id
         from parking.wishes o
        where o.id in (select g.id from gone g)
          for no key update skip locked -- not one that is being fulfilled or withdrawn
     ))
    returning w.id
  ),
  resolved as (
    update parking.notifications n
       set resolved_at = now()
      from ended e
     where n.id = e.id
       and n.resolved_at is null
  )
  select count(*) into v_told from ended;

  if v_told = 0 then
    for v_window in
      select a.*
        from parking.availabilities a
       where a.id in (select x.offered_id from private.waiting_wishes x)
       order by a.free_since, a.id
    loop
      v_told := private.offer_to_waiting(v_window);
      exit when v_told > 0;
    end loop;
  end if;
  return v_told;
end;
$$;

comment on function private.tell_waiting is
  'Ends offers of what is not free any more, or tells those who wait of one window that became free. Returns how many wishes it changed; called until it returns 0.';
grant execute on function private.tell_waiting to parking_api;
