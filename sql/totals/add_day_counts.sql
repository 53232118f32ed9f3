/*
 * Counts change in the transaction of the rows that they count, so that a rollback needs no repair.
 * No writer waits for another: it takes any row of the day that nobody has locked, or adds one.
 * A day has about as many rows as it once had writers at the same moment, most days one.
 */
create or replace function private.add_day_counts(
    first_day date,
    last_day date,
    windows bigint default 0,
    claimed bigint default 0,
    active bigint default 0,
    completed bigint default 0,
    cancelled bigint default 0
)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
declare
  v_days constant date[] := case
    when add_day_counts.first_day = add_day_counts.last_day then array[add_day_counts.first_day]
    else array[add_day_counts.first_day, add_day_counts.last_day]
  end;
  v_day date;
  v_starts integer;
  v_ends integer;
begin
  foreach v_day in array v_days loop
    v_starts := (v_day = add_day_counts.first_day)::integer;
    v_ends := (v_day = add_day_counts.last_day)::integer;

    update private.day_counts c
       set windows_started = c.windows_started + v_starts * add_day_counts.windows,
           windows_ended = c.windows_ended + v_ends * add_day_counts.windows,
           claimed_started = c.claimed_started + v_starts * add_day_counts.claimed,
           claimed_ended = c.claimed_ended + v_ends * add_day_counts.claimed,
           active_started = c.active_started + v_starts * add_day_counts.active,
           active_ended = c.active_ended + v_ends * add_day_counts.active,
           completed_started = c.completed_started + v_starts * add_day_counts.completed,
           completed_ended = c.completed_ended + v_ends * add_day_counts.completed,
           cancelled_started = c.cancelled_started + v_starts * add_day_counts.cancelled,
           cancelled_ended = c.cancelled_ended + v_ends * add_day_counts.cancelled
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
      insert into private.day_counts (
        day,
        windows_started,
        windows_ended,
        claimed_started,
        claimed_ended,
        active_started,
        active_ended,
        completed_started,
        completed_ended,
        cancelled_started,
        cancelled_ended
      )
      values (
        v_day,
        v_starts * add_day_counts.windows,
        v_ends * add_day_counts.windows,
        v_starts * add_day_counts.claimed,
        v_ends * add_day_counts.claimed,
        v_starts * add_day_counts.active,
        v_ends * add_day_counts.active,
        v_starts * add_day_counts.completed,
        v_ends * add_day_counts.completed,
        v_starts * add_day_counts.cancelled,
        v_ends * add_day_counts.cancelled
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_day_counts is
  'Adds windows or claims that start on one day and end on another, or with negative numbers takes them away. For triggers.';
