/* How many windows a list of the whole building has, without counting millions of them. */
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

  -- Hardly ever is anybody suspended.
  if v_each = 1
    and cardinality(private.suspended_owners()) > 0
    and not private.is_administrator()
  then
    v_total := v_total - private.total_hidden_availabilities(
      total_availabilities.start_date,
      total_availabilities.end_date
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_availabilities is
  'How many windows of the building the caller sees, with these filters of GET /availabilities. From counts of days; exact.';
grant execute on function private.total_availabilities to parking_api;
