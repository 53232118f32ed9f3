/* The function of those rules whose trigger's WHEN clause is the whole condition. */
create or replace function private.enforce_rule()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.refuse(tg_name, coalesce(tg_argv[0], '23514'));
  return null;
end;
$$;

/* Refuses a start in the past. A start that has passed since it was written may stay as it is. */
create or replace function private.enforce_start_in_future()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, not now(): the start may have passed while the transaction waited.
  if new.start_time <= clock_timestamp()
    and (tg_op = 'INSERT' or new.start_time is distinct from old.start_time)
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

/* Keeps updated_at. */
create or replace function private.touch()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- The wall clock, so that a later write never shows an earlier time than the one it waited for, nor the
  -- same: calendars tell by it that something changed.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end;
$$;

/* Sets the columns of a row that its argument names, before it is written. */
create or replace function private.set_columns()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  return jsonb_populate_record(new, tg_argv[0]::jsonb);
end;
$$;
