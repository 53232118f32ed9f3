/* The administrator refused what the person had said, and a person who is approved is not refused any more. */
create or replace function private.clear_rejection()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.rejection_reason := null;
  return new;
end;
$$;

comment on function private.clear_rejection is
  'Trigger function: an account that was approved, or says something else now, is not rejected.';

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
  execute function private.clear_rejection();
