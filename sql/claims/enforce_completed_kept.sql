/* What happened stays on record, unless the spot itself goes and everything with it. */
create or replace function private.enforce_completed_kept()
  returns trigger
  language plpgsql
  security definer -- must see the window whoever asks
  set search_path = ''
as $$
begin
  if exists (select from parking.availabilities a where a.id = old.availability_id) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

comment on function private.enforce_completed_kept is
  'Trigger function: a completed claim is deleted with its window only.';
