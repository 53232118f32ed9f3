/*
 * Counts change in the transaction of the rows that they count, so that a rollback needs no repair.
 * No writer waits for another: it takes any row of the day that nobody has locked, or adds one.
 * A day has about as many rows as it once had writers at the same moment, most days one.
 */
create or replace function private.add_day_counts(
    window_start timestamptz default null,
    window_end timestamptz default null,
    windows bigint default 0,
    claimed bigint default 0,
    claim_start timestamptz default null,
    claim_end timestamptz default null,
    active bigint default 0,
    completed bigint default 0,
    cancelled bigint default 0
)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  v_days constant date[] := array[
    private.utc_day(add_day_counts.window_start),
    private.utc_day(add_day_counts.window_end),
    private.utc_day(add_day_counts.claim_start),
    private.utc_day(add_day_counts.claim_end)
  ];
  v_day date;
  v_add private.day_counts;
begin
  -- Each day once: a claim and its window mostly have one day.
  for i in 1..4 loop
    v_day := v_days[i];
    continue when v_day is null or v_day = any (v_days[:i - 1]);

    v_add.windows_started := case when v_day = v_days[1] then add_day_counts.windows else 0 end;
    v_add.windows_ended := case when v_day = v_days[2] then add_day_counts.windows else 0 end;
    v_add.claimed_started := case when v_day = v_days[1] then add_day_counts.claimed else 0 end;
    v_add.claimed_ended := case when v_day = v_days[2] then add_day_counts.claimed else 0 end;
    v_add.active_started := case when v_day = v_days[3] then add_day_counts.active else 0 end;
    v_add.active_ended := case when v_day = v_days[4] then add_day_counts.active else 0 end;
    v_add.completed_started := case when v_day = v_days[3] then add_day_counts.completed else 0 end;
    v_add.completed_ended := case when v_day = v_days[4] then add_day_counts.completed else 0 end;
    v_add.cancelled_started := case when v_day = v_days[3] then add_day_counts.cancelled else 0 end;
    v_add.cancelled_ended := case when v_day = v_days[4] then add_day_counts.cancelled else 0 end;

    update private.day_counts c
       set windows_started = c.windows_started + v_add.windows_started,
           windows_ended = c.windows_ended + v_add.windows_ended,
           claimed_started = c.claimed_started + v_add.claimed_started,
           claimed_ended = c.claimed_ended + v_add.claimed_ended,
           active_started = c.active_started + v_add.active_started,
           active_ended = c.active_ended + v_add.active_ended,
           completed_started = c.completed_started + v_add.completed_started,
           completed_ended = c.completed_ended + v_add.completed_ended,
           cancelled_started = c.cancelled_started + v_add.cancelled_started,
           cancelled_ended = c.cancelled_ended + v_add.cancelled_ended
     where c.id = (
       select unlocked.id
         from private.day_counts unlocked
        where unlocked.day = v_day
          -- At higher levels a row that changed since the snapshot would be an error. The second
          -- condition is true of a row that nobody has changed since it was written.
          and (
            current_setting('transaction_isolation') = 'read committed'
            or unlocked.xmax in ('0', unlocked.xmin)
          )
        limit 1
          for no key update skip locked
     );

    if not found then
      v_add.day := v_day;
      insert into private.day_counts overriding user value -- its id is generated
      select v_add.*;
    end if;
  end loop;
end;
$$;

comment on function private.add_day_counts is
  'Adds windows or claims with these times, or with negative numbers takes them away. A claim and the window that it takes are added together, so that a day that they share is written once. For triggers.';

/* Counts are kept for each day, and a day must be the same in every session. */
create or replace function private.utc_day(moment timestamptz)
  returns date
  language sql
  immutable
  parallel safe
return (moment at time zone 'UTC')::date;

comment on function private.utc_day is
  'The day of a moment in UTC.';
