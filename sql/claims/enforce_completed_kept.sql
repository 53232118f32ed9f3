/* A completed claim stays, unless its spot is deleted with everything that belongs to it. */
create or replace function private.enforce_completed_kept()
  returns trigger
  language plpgsql
  security definer -- must see the window, whatever the policies show the caller
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
