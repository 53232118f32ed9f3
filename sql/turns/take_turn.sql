create or replace function private.take_turn(rule text, person_id uuid default null)
  returns void
  language sql
  volatile
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  -- Written, not only locked: a transaction with a snapshot from before the other rows fails here.
  insert into private.turns (key)
  values (hashtextextended(concat_ws(' ', take_turn.rule, take_turn.person_id), 0))
  on conflict on constraint turns_pkey do update
     set key = excluded.key
$$;

comment on function private.take_turn is
  'Makes those who insert rows that this rule counts, of this person or of the building, wait for each other, and fail where they do not see each other.';
