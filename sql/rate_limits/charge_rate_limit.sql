/* Counts in the windows of callers, by the one clock that all services share. */
create or replace function private.charge_rate_limit(
    key text,
    points integer,
    most integer,
    seconds integer,
    out charged integer,
    out milliseconds integer
)
  language plpgsql
  volatile
  security definer -- the API role may count, and neither read nor forget what was counted
  set search_path = ''
as $$
declare
  v_now constant timestamptz(3) := clock_timestamp();
  v_window private.rate_limits;
begin
  select r.* into v_window
    from private.rate_limits r
   where r.key = charge_rate_limit.key
     and r.ends_at > v_now;

  -- Nothing is written for a request that is refused anyway, nor for a look.
  if charge_rate_limit.points > 0 and coalesce(v_window.points < charge_rate_limit.most, true) then
    insert into private.rate_limits as r (key, points, ends_at)
    values (
      charge_rate_limit.key,
      charge_rate_limit.points,
      v_now + make_interval(secs => charge_rate_limit.seconds)
    )
    on conflict on constraint rate_limits_pkey do update
      set points = excluded.points + case when r.ends_at > v_now then r.points else 0 end,
          ends_at = case when r.ends_at > v_now then r.ends_at else excluded.ends_at end
    returning r.* into v_window;
    charged := v_window.points;
  else
    charged := v_window.points + charge_rate_limit.points;
  end if;
  milliseconds := ceil(extract(epoch from v_window.ends_at - v_now) * 1000);

  -- A request that opens a window deletes two that ended, so that the table does not grow.
  if charged = charge_rate_limit.points then
    delete from private.rate_limits r
     where r.key in (
       select e.key
         from private.rate_limits e
        where e.ends_at <= v_now
        order by e.ends_at
        limit 2
          for update skip locked
     );
  end if;
end;
$$;

comment on function private.charge_rate_limit is
  'Charges a key points in a window that may hold so many of them and ends so many seconds after its first charge. Returns what the key was charged, and how long the window lasts; null where none is open and nothing is charged.';
grant execute on function private.charge_rate_limit to parking_api;
