alter table parking.profiles
  drop constraint if exists profiles_phone_number_is_dialable,
  add constraint profiles_phone_number_is_dialable
    check (private.is_one_line(phone_number, 3, 32) and phone_number ~ '^[-0-9 +()./]*$');

comment on constraint profiles_phone_number_is_dialable on parking.profiles is
  E'@field phone_number\n@de Eine Telefonnummer hat 3 bis 32 Ziffern, Leerzeichen und +().-/\nphone_number must be 3 to 32 digits, spaces and +().-/';
