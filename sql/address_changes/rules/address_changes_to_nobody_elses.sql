/* One of two accounts of the same person is erased first: then its address is nobody's. */
create or replace function private.enforce_address_is_free()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  if identity.is_of_another(new.new_address, new.account_id) then
    perform private.refuse(tg_name, '23505');
  end if;
  return null;
end;
$$;

create or replace trigger address_changes_to_nobody_elses
  after insert on private.address_changes
  for each row
  execute function private.enforce_address_is_free();

comment on trigger address_changes_to_nobody_elses on private.address_changes is
  E'@status 409\n@field email\n@de Diese Adresse gehört schon zu einem anderen Konto. Ist es dieselbe Person, löschen Sie zuerst das Konto, das sie nicht mehr braucht.\nThis address belongs to another account; if it is the same person, first erase the account that they no longer need';
