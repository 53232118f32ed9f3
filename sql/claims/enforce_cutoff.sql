/* The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. */
create or replace function private.enforce_cutoff()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE'
    and new.status <> 'cancelled'
    and new.start_time <= old.start_time
    and new.end_time >= old.end_time
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

comment on function private.enforce_cutoff is
  'Trigger function: refuses to cancel or delete a claim, or to give up some of its time.';
