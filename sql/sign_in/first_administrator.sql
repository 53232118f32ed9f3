/*
 * The operator of a new building names its administrator by the address: nobody has an account yet. One row, so
 * that another address takes the place of one that was mistyped.
 */
create table if not exists identity.expected_administrator (
  only_row boolean default true,
  address text not null,
  expected_at timestamptz(3) not null default now(),
  constraint expected_administrator_pkey primary key (only_row)
);

alter table identity.expected_administrator enable row level security;
-- No policy and no grant: the owner of the database writes it.

comment on table identity.expected_administrator is
  'Who becomes an administrator at registration (npm run admin with SIGN_IN=mail): one row, until they register.';
comment on column identity.expected_administrator.only_row is
  'Always true.';
comment on column identity.expected_administrator.address is
  'The address that they must have confirmed, in lower case.';
comment on column identity.expected_administrator.expected_at is
  'When the operator named them. After two weeks this is of no use.';

create or replace function identity.expect_administrator(address text)
  returns boolean
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  -- A registration waits for it, or comes first and is found.
  perform private.take_turn('administrators');

  if exists (
    select from parking.profiles p
     where private.address_key(p.email) = private.address_key(expect_administrator.address)
  ) then
    return false;
  end if;

  insert into identity.expected_administrator as e (address)
  values (private.address_key(expect_administrator.address))
  on conflict on constraint expected_administrator_pkey do update
    set address = excluded.address,
        expected_at = now();
  return true;
end;
$$;

comment on function identity.expect_administrator is
  'Makes whoever registers with this confirmed address an administrator; false where somebody has registered with it already. For the owner of the database (npm run admin).';

create or replace function identity.welcome_administrator()
  returns trigger
  language plpgsql
  security definer -- the operator decided it, not the person
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
begin
  delete from identity.expected_administrator e
   using private.users u
   where u.id = new.id
     and u.email_confirmed_at is not null
     and e.address = private.address_key(u.email)
     and e.expected_at > now() - interval '14 days';

  if found then
    -- The log names nobody, as after private.make_administrator.
    perform set_config('request.jwt.claims', '', true);
    update parking.profiles p
       set is_approved = true,
           is_admin = true
     where p.id = new.id;
    perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
  end if;
  return null;
end;
$$;

-- After record_registration, for the log: triggers run in the order of their names.
create or replace trigger welcome_administrator
  after insert on parking.profiles
  for each row
  execute function identity.welcome_administrator();
