/*
 * People keep their ids when a building moves to another identity provider: receivers of webhooks, exports and the
 * log name people by them. So what changes is which sub of a token stands for a person.
 */
create or replace function private.people_by_subject()
  returns table (subject text, id uuid)
  language plpgsql
  stable
  security definer -- the API role has no access to private.users
  set search_path = ''
as $$
begin
  perform private.require_service();

  return query
  select u.subject, u.id
    from private.users u
   where u.subject is not null;
end;
$$;

comment on function private.people_by_subject is
  'The people whose tokens have a sub that is not their id.';
grant execute on function private.people_by_subject to parking_api;

create or replace function private.people_to_move()
  returns table (id uuid, address text, is_confirmed boolean)
  language sql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select u.id, private.address_key(u.email), u.email_confirmed_at is not null
    from private.users u
    join parking.profiles p on p.id = u.id
   where u.erased_at is null;
end;

comment on function private.people_to_move is
  'Everybody who has registered, with the address by which a move knows them.';

/* Two accounts with one address: nobody knows which of them the person of the other provider is. */
create or replace function private.refuse_unclear_move(addresses text[])
  returns void
  language plpgsql
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_unclear constant text := (
    select string_agg(distinct a.address, ', ')
      from (
        select u.address
          from unnest(refuse_unclear_move.addresses) u (address)
         group by u.address
        having count(*) > 1
      ) a
  );
begin
  if v_unclear is not null then
    raise exception using
      errcode = 'cardinality_violation',
      message = format('Nobody is moved, because more than one account has the address: %s', v_unclear);
  end if;
end;
$$;

comment on function private.refuse_unclear_move is
  'Fails where an address is there twice.';

create or replace function private.move_to_provider(people jsonb)
  returns setof text
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_known constant text := (
    select string_agg(t.subject, ', ')
      from jsonb_to_recordset(move_to_provider.people) t (address text, subject text)
      join private.users u on u.id::text = lower(t.subject) or u.subject = t.subject
      join parking.profiles p on p.id = u.id
     where u.erased_at is not null
        or private.address_key(u.email) <> private.address_key(t.address)
  );
begin
  perform private.take_turn('administrators'); -- nobody registers meanwhile

  if v_known is not null then
    raise exception using
      errcode = 'unique_violation',
      message = format('Nobody is moved, because other people have registered with the sub: %s', v_known);
  end if;
  perform private.refuse_unclear_move(array(
    select m.address from private.people_to_move() m where m.is_confirmed
  ));
  perform private.refuse_unclear_move(array(
    select private.address_key(t.address)
      from jsonb_to_recordset(move_to_provider.people) t (address text)
  ));

  update private.users u
     set subject = t.subject
    from private.people_to_move() m
    join jsonb_to_recordset(move_to_provider.people) t (address text, subject text)
      on private.address_key(t.address) = m.address
   where u.id = m.id
     and m.is_confirmed;

  delete from identity.codes;
  delete from identity.documents;
  delete from identity.accounts;
  delete from identity.keys;

  return query
  select m.address
    from private.people_to_move() m
    join private.users u on u.id = m.id
   where u.subject is null
   order by m.address;
end;
$$;

comment on function private.move_to_provider is
  'From now on, people sign in with the tokens of another identity provider, by the sub that it has for their confirmed address: [{address, subject}]. Empties the sign-in by mail. Returns the addresses of those who are not moved. For the owner of the database (npm run identity).';

create or replace function private.move_to_mail()
  returns setof text
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  perform private.take_turn('administrators'); -- nobody registers meanwhile

  perform private.refuse_unclear_move(array(
    select m.address from private.people_to_move() m where m.is_confirmed
  ));

  -- Somebody has signed in with the address already, and not registered.
  delete from identity.accounts a
   using private.people_to_move() m
   where a.address = m.address
     and m.is_confirmed
     and a.id <> m.id;

  insert into identity.accounts as a (id, address)
  select m.id, m.address
    from private.people_to_move() m
   where m.is_confirmed
  on conflict on constraint accounts_pkey do update
    set address = excluded.address;

  update private.users u
     set subject = null
   where u.subject is not null;

  return query
  select m.address
    from private.people_to_move() m
   where not m.is_confirmed
   order by m.address;
end;
$$;

comment on function private.move_to_mail is
  'From now on, people sign in by mail, with their confirmed address. Returns the addresses of those who are not moved, because the provider never confirmed theirs. For the owner of the database (npm run identity).';

create or replace function identity.people_without_account()
  returns integer
  language plpgsql
  stable
  security definer -- the API role has no access to the accounts
  set search_path = ''
as $$
begin
  perform private.require_service();

  return (
    select count(*)
      from parking.profiles p
      join private.users u on u.id = p.id
     where u.erased_at is null
       and not exists (select from identity.accounts a where a.id = p.id)
  );
end;
$$;

comment on function identity.people_without_account is
  'How many people have registered who cannot sign in by mail: with another identity provider.';
grant execute on function identity.people_without_account to parking_api;
