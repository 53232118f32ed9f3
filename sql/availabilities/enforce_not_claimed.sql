/* A claimed window stays, unless its spot is deleted with everything that belongs to it. */
create or replace function private.enforce_not_claimed()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

comment on function private.enforce_not_claimed is
  'Trigger function: a claimed window is deleted with its spot only.';
