/* The one place that says which wishes a window fits. */
create or replace function private.fitting_wishes(availability parking.availabilities)
  returns setof parking.wishes
  language sql
  stable
as $$
  select w.*
    from (select (fitting_wishes.availability).*) a
    join parking.profiles p on p.id = a.owner_id and p.is_approved
    join parking.spots s on s.id = a.spot_id
    join parking.wishes w
      on w.start_time >= a.start_time
     and w.start_time < a.end_time
     and w.end_time <= a.end_time
     and w.wisher_id <> a.owner_id
     and coalesce(w.spot_id, s.id) = s.id
     and coalesce(w.building_section, s.building_section) = s.building_section
   where w.claim_id is null
     and w.start_time > now()
     and not a.is_claimed
     and not a.is_hidden
     and (a.free is null or private.has_free(a.free, w.start_time, w.end_time))
$$;

comment on function private.fitting_wishes is
  'The open wishes whose whole time is free in a window, of an approved owner.';

create or replace function api.get_wish(id uuid)
  returns setof parking.wishes
  language sql
  stable
  rows 1
as $$
  select w.*
    from parking.wishes w
   where w.id = get_wish.id
$$;

comment on function api.get_wish is
  'One of your wishes';
grant execute on function api.get_wish to parking_api;

create or replace function api.list_wishes()
  returns setof parking.wishes
  language sql
  stable
as $$
  select w.*
    from parking.wishes w
$$;

comment on function api.list_wishes is
  'What you wait for, and what became of it, latest start first';
grant execute on function api.list_wishes to parking_api;

create or replace function private.offered_window(wish parking.wishes)
  returns setof parking.availabilities
  language sql
  stable
as $$
  select a.*
    from parking.availabilities a
   cross join lateral private.fitting_wishes(a) f
   where a.id = (offered_window.wish).availability_id
     and f.id = (offered_window.wish).id
$$;

comment on function private.offered_window is
  'The window that a resident was told of, while it fits their wish.';

/*
 * Skips people who have a turn or an unread message, unless their window is gone or their turn is yet to come. If their
 * window is gone, they also wait for windows that became free before. Skips people who cannot claim in time for the
 * notice of the section. Limits that change by the hour are not asked.
 */
create or replace function private.waiting_for(availability parking.availabilities, gone uuid[] default null)
  returns setof parking.wishes
  language plpgsql
  stable
  security invoker -- for functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_limits constant parking.limits := private.limits_of(availability.spot_id);
  v_first constant timestamptz := v_now + make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_has_turns constant boolean := (private.building()).offer_minutes is not null;
begin
  if availability.end_time - availability.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;
  return query
    select w.*
      from private.fitting_wishes(waiting_for.availability) w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     cross join lateral (
       select case
         when waiting_for.gone is not null then w.id = any (waiting_for.gone)
         else w.availability_id is not null and not exists (select from private.offered_window(w))
       end as is_gone
       offset 0 -- once for each
     ) o
     where case when v_has_turns then w.start_time else w.end_time end > v_first
       and (
         w.availability_id is null
         or o.is_gone
         or w.offered_from > v_now
         or coalesce(
           w.offered_until <= v_now,
           not exists (select from parking.notifications n where n.id = w.id and not n.is_read)
         )
       )
       and (
         o.is_gone
           and coalesce(w.offered_until > v_now, true)
           and availability.free_since > w.created_at
         or exists (
           select
             from private.freed_times f
            where f.availability_id = availability.id
              and f.during && tstzrange(w.start_time, w.end_time)
              and f.freed_by is distinct from w.wisher_id
              -- Not what they saw when they asked. Another cluster counts transactions anew, so hours tell, too.
              and f.freed_at > w.created_at - interval '1 hour'
              and (
                not pg_visible_in_snapshot(f.freed_in, w.asked_in::pg_snapshot)
                or f.freed_at > w.created_at + interval '1 hour'
              )
              -- A person with several wishes is notified once.
              and not exists (
                select
                  from parking.wishes t
                 where t.wisher_id = w.wisher_id
                   and t.availability_id = availability.id
                   and t.claim_id is null
                   and t.updated_at >= f.freed_at
              )
         )
       );
end;
$$;

comment on function private.waiting_for is
  'The open wishes whose residents are to be told of a free window. "gone" are the wishes whose window is gone, where the caller knows.';
