/* Numbers copied from an address book contain marks of direction, and other blanks and hyphens. */
create or replace function private.clean_phone_number()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.phone_number := btrim(
    regexp_replace(
      regexp_replace(
        regexp_replace(new.phone_number, '[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g'),
        '[\u2010-\u2015\u2212]', '-', 'g'
      ),
      '[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g'
    )
  );
  return new;
end;
$$;

create or replace trigger clean_phone_number
  before insert or update of phone_number on parking.profiles
  for each row
  execute function private.clean_phone_number();

-- The administrator refused what the person had said, and a person who is approved is not refused any more.
-- Triggers run in the order of their names: administrator_required must see what the client wrote.
create or replace trigger clear_rejection
  before update on parking.profiles
  for each row
  when (
    old.rejection_reason is not null
    and new.rejection_reason = old.rejection_reason -- a new one is refused, or meant
    and (
      new.is_approved
      or (new.full_name, new.apartment_number, new.phone_number)
        is distinct from (old.full_name, old.apartment_number, old.phone_number)
    )
  )
  execute function private.set_columns('{"rejection_reason": null}');

/*
 * Statements that may remove an administrator, invite, or accept an invitation run one after the other: two
 * administrators who remove each other do so before either locks a profile.
 */
create or replace function private.lock_administrators()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  perform private.take_turn('administrators');
  return null;
end;
$$;

create or replace trigger lock_administrators
  before delete or update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  execute function private.lock_administrators();

-- An invitation and a registration at the same moment would miss each other, and the person who is expected
-- would wait for approval. The same holds for two invitations.
create or replace trigger meet_newcomers
  before insert on parking.invitations
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before insert on parking.profiles
  for each statement
  execute function private.lock_administrators();

create or replace trigger meet_invitations
  before update of email, email_confirmed_at on private.users
  for each statement
  execute function private.lock_administrators();

-- A suspended person does not wait for approval, and reads that.
create or replace trigger note_suspension
  before update on parking.profiles
  for each row
  when (old.is_approved and not new.is_approved)
  execute function private.set_columns('{"is_suspended": true}');

create or replace trigger note_approval
  before update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.set_columns('{"is_suspended": false}');
