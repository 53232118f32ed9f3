create or replace function api.give_address(id uuid, email text, reason text)
  returns parking.profiles
  language plpgsql
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();
  perform private.give_reason(give_address.reason);

  select p.* into v_profile
    from parking.profiles p
   where p.id = give_address.id;

  if not found then
    perform private.refuse_absent('profiles');
  end if;

  perform private.give_address(give_address.id, give_address.email);
  return v_profile;
end;
$$;

comment on function api.give_address is
  'Give somebody who lost their mailbox another address to sign in with, from the next day on';
grant execute on function api.give_address to parking_api;

create or replace function private.give_address(id uuid, address text)
  returns void
  language plpgsql
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
declare
  c_delay constant interval := interval '1 day';
  v_change private.address_changes;
begin
  perform private.lock_person_as_administrator(give_address.id);

  delete from private.address_changes c
   where c.account_id = give_address.id
     and c.ended_at is null;

  insert into private.address_changes (account_id, old_address, new_address, starts_at)
  values (
    give_address.id,
    -- Without an account, the rule address_changes_of_an_account refuses.
    coalesce((select a.address from identity.accounts a where a.id = give_address.id), ''),
    private.address_key(give_address.address),
    clock_timestamp() + c_delay
  )
  returning * into v_change;

  -- The log says who did it and why.
  insert into private.new_events (type, subject_id, data)
  select 'profile.updated', p.id, to_jsonb(p)
    from parking.profiles p
   where p.id = give_address.id;
  perform identity.mail_change(v_change, 'given');
end;
$$;

comment on function private.give_address is
  'Gives the account of a person another address, for an administrator. Tells the person at both addresses.';
grant execute on function private.give_address to parking_api;

create or replace function identity.mail_change(change private.address_changes, what text)
  returns void
  language sql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
begin atomic
  select private.add_job(
           'mail',
           concat_ws('.', 'address', mail_change.what, (mail_change.change).id, s.side),
           jsonb_build_object(
             'kind', 'address.' || mail_change.what,
             'change_id', (mail_change.change).id,
             'side', s.side
           )
         )
    from unnest(
           case mail_change.what when 'kept' then '{giver}'::text[] else '{old,new}'::text[] end
         ) s (side);
end;

comment on function identity.mail_change is
  'Adds the mails that tell of a change of an address: given, changed or kept.';
