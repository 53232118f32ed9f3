create or replace function private.total_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- reads counts past the policies, and returns what they let the caller count
  set search_path = ''
as $$
declare
  -- The number that each window adds to the total, and the number that a claimed one adds to that.
  v_each constant integer := (total_availabilities.is_claimed is not true)::integer;
  v_claimed constant integer := (total_availabilities.is_claimed is not false)::integer - v_each;
  -- The parts of a day that the counts of days do not tell apart.
  v_start_midnight constant timestamptz := date_trunc('day', total_availabilities.start_date, 'UTC');
  v_end_midnight constant timestamptz := date_trunc('day', total_availabilities.end_date, 'UTC');
  v_total bigint;
begin
  if not private.is_approved() or total_availabilities.start_date >= total_availabilities.end_date then
    return 0;
  end if;

  -- Those that end before end_date, less those of them that start before start_date. Each of the
  -- latter has ended before end_date too, or spans the whole time between.
  select coalesce(sum(v_each * c.windows_ended + v_claimed * c.claimed_ended)
           filter (where v_end_midnight is null or c.day < private.utc_day(v_end_midnight)), 0)
       - coalesce(sum(v_each * c.windows_started + v_claimed * c.claimed_started)
           filter (where c.day < private.utc_day(v_start_midnight)), 0)
    into v_total
    from private.day_counts c;

  if v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.end_time >= v_end_midnight
         and a.end_time < total_availabilities.end_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  if v_start_midnight is not null then
    v_total := v_total - (
      select count(*)
        from parking.availabilities a
       where a.start_time >= v_start_midnight
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  if v_start_midnight is not null and v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.during @> tstzrange(total_availabilities.start_date, total_availabilities.end_date)
         and a.start_time < total_availabilities.start_date
         and a.is_claimed = coalesce(total_availabilities.is_claimed, a.is_claimed)
         and not a.is_hidden
    );
  end if;

  -- Hidden windows, which only their owner sees.
  if v_each = 1 then
    v_total := v_total + (
      select count(*)
        from parking.availabilities a
       where a.owner_id = (select private.caller_id())
         and a.is_hidden
         and a.start_time >= coalesce(total_availabilities.start_date, '-infinity')
         and a.start_time < coalesce(total_availabilities.end_date, 'infinity')
         and a.end_time < coalesce(total_availabilities.end_date, 'infinity')
    );
  end if;

  -- Residents do not see the free windows of suspended owners. Hardly ever is anybody suspended.
  if v_each = 1
    and cardinality(private.suspended_owners()) > 0
    and not private.is_administrator()
  then
    v_total := v_total - (
      select count(*)
        from parking.availabilities a
       where a.owner_id = any ((select private.suspended_owners())::uuid[])
         and not a.is_claimed
         and not a.is_hidden
         and a.start_time >= coalesce(total_availabilities.start_date, '-infinity')
         and a.start_time < coalesce(total_availabilities.end_date, 'infinity')
         and a.end_time < coalesce(total_availabilities.end_date, 'infinity')
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_availabilities is
  'How many windows of the building the caller sees, with these filters of GET /availabilities. From counts of days; exact.';
grant execute on function private.total_availabilities to parking_api;

create or replace function api.count_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
return private.total_availabilities(
  count_availabilities.is_claimed,
  count_availabilities.start_date,
  count_availabilities.end_date
);

comment on function api.count_availabilities is
  'How many windows of the whole building the caller sees; exact, and as fast with millions of them';
grant execute on function api.count_availabilities to parking_api;

create or replace function api.get_availability(id uuid)
  returns setof parking.availabilities
  language sql
  stable
  rows 1
as $$
  select a.*
    from parking.availabilities a
   where a.id = get_availability.id
$$;

comment on function api.get_availability is
  'One window';
grant execute on function api.get_availability to parking_api;

create or replace function api.list_availabilities()
  returns setof parking.availabilities
  language sql
  stable
as $$
  select a.*
    from parking.availabilities a
$$;

comment on function api.list_availabilities is
  'The windows of all spots, by start';
grant execute on function api.list_availabilities to parking_api;

/*
 * A list is read by the start of its windows, but a window that is open at a moment may have started long before.
 * Windows of a spot do not overlap, so few are open at one moment.
 */
create or replace function private.open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return coalesce(
  (
    select min(o.start_time)
      from (
        select a.start_time
          from parking.availabilities a
         -- Also those that end at the moment. Times have no parts of a millisecond.
         where a.during && tstzrange(
           open_since.moment - interval '1 millisecond',
           open_since.moment,
           '[]'
         )
           and (select private.is_approved())
        offset 0 -- else PostgreSQL reads all windows by start until it finds one that is open
      ) o
  ),
  open_since.moment
);

comment on function private.open_since is
  'No window that is open at the moment, or ends or starts then, starts before this. The moment itself, where the caller is not approved.';
grant execute on function private.open_since to parking_api;

create or replace function private.is_held(availability_id uuid)
  returns boolean
  language plpgsql
  volatile -- the claims of this moment: who asks may have waited for one
  security definer -- the claims are those of others; it returns only whether there is one
  set search_path = ''
as $$
begin
  return exists (select from parking.claims c where c.holds = is_held.availability_id);
end;
$$;

comment on function private.is_held is
  'Whether an active or completed claim is of the window with this id.';
grant execute on function private.is_held to parking_api;
