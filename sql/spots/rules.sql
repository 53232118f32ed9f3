/* What is true of every spot, whoever writes it and by whichever door. */
alter table parking.spots
  drop constraint if exists spots_belong_to_a_resident,
  add constraint spots_belong_to_a_resident
    foreign key (owner_id)
    references parking.profiles (id),
  drop constraint if exists spots_spot_number_is_one_line,
  add constraint spots_spot_number_is_one_line
    check (private.is_one_line(spot_number, 1, 32)),
  drop constraint if exists spots_building_section_is_one_line,
  add constraint spots_building_section_is_one_line
    check (private.is_one_line(building_section, 1, 100));

-- Unicode's canonical caseless match: the two ways to write an accented letter are one number too.
create unique index if not exists spots_spot_number_is_unique
  on parking.spots (
    normalize(casefold(normalize(spot_number, nfd) collate pg_unicode_fast), nfd)
  );

comment on constraint spots_belong_to_a_resident on parking.spots is
  E'@status 403\nThe owner of a parking spot must be a resident';
comment on constraint spots_spot_number_is_one_line on parking.spots is
  E'@field spot_number\nspot_number must be 1 to 32 characters on one line';
comment on constraint spots_building_section_is_one_line on parking.spots is
  E'@field building_section\nbuilding_section must be 1 to 100 characters on one line';
comment on index parking.spots_spot_number_is_unique is
  'A parking spot with this number already exists';

create or replace trigger administrator_required
  before update of is_verified on parking.spots
  for each row
  when (
    new.is_verified is distinct from old.is_verified
    and row_security_active('parking.spots') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.spots is
  'Administrator privileges required';

-- Policies let an administrator update any spot, to verify it; this keeps them to that.
create or replace trigger spots_updated_by_owner
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    row_security_active('parking.spots') -- binds people, not the owner of the table
    and old.owner_id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger spots_updated_by_owner on parking.spots is
  'You can only update your own parking spots';

-- After administrator_required in the alphabet, so in time: that one judges what the client wrote.
create or replace trigger spots_lose_verification_when_changed
  before update of spot_number, building_section on parking.spots
  for each row
  when (
    (new.spot_number, new.building_section) is distinct from (old.spot_number, old.building_section)
  )
  execute function private.clear_verification();

create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\nCannot delete a parking spot with active claims';
