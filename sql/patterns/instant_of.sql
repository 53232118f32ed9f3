/* "at time zone" takes the second of a time that the clock repeats, and reads one that it skips as later. */
create or replace function private.instant_of(wall timestamp, zone text)
  returns timestamptz
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
declare
  v_read constant timestamptz := wall at time zone zone;
  v_shown constant timestamp := v_read at time zone zone;
  v_day_before constant timestamptz := v_read - interval '1 day';
  v_first constant timestamptz :=
    v_day_before + (wall - (v_day_before at time zone zone)); -- with the offset of the day before
begin
  if v_shown = wall then
    return case when (v_first at time zone zone) = wall then least(v_first, v_read) else v_read end;
  end if;

  -- The clock skips it: the first moment that has the new offset. Clocks change at quarters of an hour.
  return (
    select min(q.moment)
      from generate_series(
        date_trunc('hour', v_read - (v_shown - wall)), v_read, interval '15 minutes'
      ) q (moment)
     where (q.moment at time zone zone) - (v_read at time zone zone) = q.moment - v_read
  );
end;
$$;

comment on function private.instant_of is
  'The moment that a time on the clock of a zone means: the first of two, where the clock repeats it; the moment of the change, where it skips it.';
grant execute on function private.instant_of to parking_api;
