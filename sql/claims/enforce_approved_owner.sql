/* The owner may be suspended while somebody claims: then one waits for the other. */
create or replace function private.enforce_approved_owner()
  returns trigger
  language plpgsql
  security definer -- locks a profile that the claimer may not see
  set search_path = ''
as $$
declare
  v_is_approved boolean;
begin
  -- Locked, not only read: a suspension under way ends first, and a later one waits for this claim.
  select p.is_approved into v_is_approved
    from parking.profiles p
   where p.id = new.owner_id
     for share;

  -- Null where there is no such owner: another rule refuses that.
  if not v_is_approved then
    perform private.refuse(tg_name, tg_argv[0]);
  end if;
  return new;
end;
$$;

comment on function private.enforce_approved_owner is
  'Trigger function: nobody claims a window whose owner is not approved.';
