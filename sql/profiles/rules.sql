/* What is true of every profile, whoever writes it and by whichever door. */
alter table parking.profiles
  drop constraint if exists profiles_email_is_the_users,
  add constraint profiles_email_is_the_users
    foreign key (id, email)
    references private.users (id, email)
    on update cascade,
  drop constraint if exists profiles_full_name_is_one_line,
  add constraint profiles_full_name_is_one_line
    check (private.is_one_line(full_name, 1, 200)),
  drop constraint if exists profiles_apartment_number_is_one_line,
  add constraint profiles_apartment_number_is_one_line
    check (private.is_one_line(apartment_number, 1, 32)),
  drop constraint if exists profiles_phone_number_is_dialable,
  add constraint profiles_phone_number_is_dialable
    check (private.is_one_line(phone_number, 3, 32) and phone_number ~ '^[-0-9 +().\/]+$');

comment on constraint profiles_email_is_the_users on parking.profiles is
  E'@status 409\nThe email address is the one of the sign-in';
comment on constraint profiles_full_name_is_one_line on parking.profiles is
  E'@field full_name\nfull_name must be 1 to 200 characters on one line';
comment on constraint profiles_apartment_number_is_one_line on parking.profiles is
  E'@field apartment_number\napartment_number must be 1 to 32 characters on one line';
comment on constraint profiles_phone_number_is_dialable on parking.profiles is
  E'@field phone_number\nphone_number must be 3 to 32 digits, spaces and +().-/';

create or replace trigger administrator_required
  before update of is_approved, is_admin on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin) is distinct from (old.is_approved, old.is_admin)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  'Administrator privileges required';

create or replace trigger profiles_describe_oneself
  before update of full_name, apartment_number, phone_number on parking.profiles
  for each row
  when (
    (new.full_name, new.apartment_number, new.phone_number)
      is distinct from (old.full_name, old.apartment_number, old.phone_number)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and old.id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_describe_oneself on parking.profiles is
  'You can only update your own profile';

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger profiles_keep_an_administrator
  before delete or update of is_approved, is_admin on parking.profiles
  for each row
  when (old.is_admin and old.is_approved)
  execute function private.enforce_an_administrator();

comment on trigger profiles_keep_an_administrator on parking.profiles is
  E'@status 409\nThe last administrator cannot be removed';
