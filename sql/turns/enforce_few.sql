/*
 * Limits the rows of a person, or of the building. The arguments: how many, the column that names the person,
 * which of the rows count, and "profile" where the erasure of the person has to wait.
 */
create or replace function private.enforce_few()
  returns trigger
  language plpgsql
  security definer -- the same count, whatever the policies show the caller
  set search_path = ''
as $$
declare
  v_person_id constant uuid := to_jsonb(new) ->> tg_argv[1];
  v_most constant integer := tg_argv[0]::integer + (tg_when = 'AFTER')::integer;
  v_count integer;
begin
  if tg_argv[3] = 'profile' then
    perform from parking.profiles p where p.id = v_person_id for no key update;
  end if;
  perform private.take_turn(tg_name, v_person_id);

  execute format(
    'select count(*) from (select from %s where %s limit %s) counted',
    tg_relid::regclass,
    concat_ws(' and ', 'true', tg_argv[1] || ' = $1', tg_argv[2]),
    v_most
  )
     into v_count
    using v_person_id;
  if v_count >= v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

create or replace function private.take_turn(rule text, person_id uuid default null)
  returns void
  language sql
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  -- Written, not only locked: a transaction with a snapshot from before the other rows, which If-Match takes, fails
  -- here and is tried again.
  insert into private.turns (key)
  values (hashtextextended(concat_ws(' ', take_turn.rule, take_turn.person_id), 0))
  on conflict on constraint turns_pkey do update
     set key = excluded.key
$$;

comment on function private.take_turn is
  'Makes those who insert rows that this rule counts, of this person or of the building, wait for each other, and fail where they do not see each other.';

/*
 * One request about a pattern or an exception changes dozens of windows, and each leaves events that stay:
 * somebody who sends them without end would fill the disk of everybody. The log itself knows how many.
 */
create or replace function private.enforce_few_changed_windows()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
  v_today constant timestamptz := date_trunc('day', clock_timestamp(), 'UTC');
begin
  if (
    select count(*)
      from (
        select
          from private.events e -- with those that have no position yet
         where e.actor_id = new.owner_id
           and e.type in ('availability.deleted', 'availability.updated')
           and e.occurred_at >= v_today
         limit v_most + 1
      ) x
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;
