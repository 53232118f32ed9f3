/* The owner of the database makes the first administrator, because no administrator can. */
create or replace function private.make_administrator(email_or_id text)
  returns parking.profiles
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_ids constant uuid[] := array(
    select p.id
      from parking.profiles p
      join private.users u on u.id = p.id
     where p.id::text = lower(make_administrator.email_or_id)
        -- An address that is not confirmed may be somebody else's.
        or private.address_key(p.email) = private.address_key(make_administrator.email_or_id)
           and u.email_confirmed_at is not null
     order by p.id
  );
  v_unconfirmed_ids constant uuid[] := array(
    select p.id
      from parking.profiles p
     where private.address_key(p.email) = private.address_key(make_administrator.email_or_id)
     order by p.id
  );
  v_profile parking.profiles;
begin
  if cardinality(v_ids) <> 1 then
    raise exception using
      errcode = 'no_data_found',
      message = case
        when cardinality(v_ids) > 1 then
          format('Several people have registered as %s. Name one by id: %s',
            make_administrator.email_or_id, array_to_string(v_ids, ', '))
        when cardinality(v_unconfirmed_ids) > 0 then
          format('The identity provider has not confirmed %s. If you know the person, name them by id: %s',
            make_administrator.email_or_id, array_to_string(v_unconfirmed_ids, ', '))
        else format('Nobody has registered as %s', make_administrator.email_or_id)
      end;
  end if;

  update parking.profiles p
     set is_approved = true,
         is_admin = true
   where p.id = v_ids[1]
  returning * into v_profile;

  -- The address that was named before may be mistyped, and its mailbox a stranger's.
  delete from identity.expected_administrator;
  return v_profile;
end;
$$;

comment on function private.make_administrator is
  'Approves the account with this confirmed e-mail address or this id and makes it an administrator. For the owner of the database (npm run admin).';
