/* Counts a request in all windows of its caller, by the one clock that all services share. */
create or replace function private.charge_rate_limits(
    caller text,
    points integer,
    windows text[],
    most integer[],
    seconds integer[]
)
  returns table (charged integer, milliseconds integer)
  language plpgsql
  security definer -- the API role may count, and neither read nor forget what was counted
  set search_path = ''
  rows 2
as $$
declare
  v_now constant timestamptz(3) := clock_timestamp();
  v_key text;
  v_points integer := charge_rate_limits.points;
  v_ends_at timestamptz(3);
  v_opened integer := 0;
begin
  -- Each row stays locked until the end. Every request names its windows in one order, so that no
  -- two of a caller wait for one another.
  for i in 1 .. cardinality(charge_rate_limits.windows) loop
    v_key := charge_rate_limits.windows[i] || ':' || charge_rate_limits.caller;

    -- Most requests charge a window that is open and has something left.
    update private.rate_limits r
       set points = r.points + v_points
     where r.key = v_key
       and private.is_open(r.ends_at, charge_rate_limits.seconds[i])
       and r.points < charge_rate_limits.most[i]
       and v_points > 0
    returning r.points, r.ends_at into charged, v_ends_at;

    if not found then
      select r.points + v_points, r.ends_at into charged, v_ends_at
        from private.rate_limits r
       where r.key = v_key
         and private.is_open(r.ends_at, charge_rate_limits.seconds[i]);

      -- Nothing is written for a request that is refused anyway, nor for a look. Another request may
      -- have opened the window meanwhile.
      if v_points > 0 and coalesce(charged - v_points < charge_rate_limits.most[i], true) then
        insert into private.rate_limits as r (key, points, ends_at)
        values (v_key, v_points, v_now + make_interval(secs => charge_rate_limits.seconds[i]))
        on conflict on constraint rate_limits_pkey do update
          set (points, ends_at) = (
                select excluded.points + case when o.is_open then r.points else 0 end,
                       case when o.is_open then r.ends_at else excluded.ends_at end
                  from private.is_open(r.ends_at, charge_rate_limits.seconds[i]) o (is_open)
              )
        returning r.points, r.ends_at into charged, v_ends_at;
        v_opened := v_opened + 1;
      end if;
    end if;
    milliseconds := least(
      ceil(extract(epoch from v_ends_at - v_now) * 1000),
      charge_rate_limits.seconds[i] * 1000.0
    );
    return next;

    -- If one window refuses a request, it is not charged to the next ones.
    if charged > charge_rate_limits.most[i] then
      v_points := 0;
    end if;
  end loop;

  -- For each window that it opens, a request deletes two that ended, so that the table does not
  -- grow. It does so last: to wait with rows of others locked would be to wait in a circle.
  if v_opened > 0 then
    delete from private.rate_limits r
     where r.key in (
       select e.key
         from private.rate_limits e
        where e.ends_at <= v_now
        order by e.ends_at
        limit 2 * v_opened
          for update skip locked
     );
  end if;
end;
$$;

comment on function private.charge_rate_limits is
  'Charges a caller points in windows, each of which may hold so many of them and ends so many seconds after its first charge: one after the other until one is exceeded, the others are only looked at. Returns for each what was charged in it so far, and how long it lasts; null where none is open.';
grant execute on function private.charge_rate_limits to parking_api;

/* By the clock at this moment, not at the start of the request: another may have opened the window since. */
create or replace function private.is_open(ends_at timestamptz, seconds integer)
  returns boolean
  language sql
return is_open.ends_at > clock_timestamp()
  and is_open.ends_at <= clock_timestamp()::timestamptz(3) + make_interval(secs => is_open.seconds);

comment on function private.is_open is
  'Whether a window of so many seconds is open. One that ends later than that from now was opened by a clock that ran ahead, and is over.';
