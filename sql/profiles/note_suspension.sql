/* A suspended person does not wait for approval, and reads that. */
create or replace function private.note_suspension()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.is_suspended := old.is_approved;
  return new;
end;
$$;

comment on function private.note_suspension is
  'Trigger function: an account whose approval was taken back is suspended, until it is approved again.';

create or replace trigger note_suspension
  before update on parking.profiles
  for each row
  when (old.is_approved <> new.is_approved)
  execute function private.note_suspension();
