/* A person who makes a feed and is suspended at one moment: one waits for the other. */
create or replace function private.keep_approval()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform
     from parking.profiles p
    where p.id = new.person_id
      and p.is_approved
      for share;

  if not found then
    perform private.refuse('approved_account_required');
  end if;
  return new;
end;
$$;

comment on function private.keep_approval is
  'Trigger function: locks the profile of a person, who is approved, before they have a calendar feed.';

create or replace trigger keep_approval
  before insert on parking.calendar_feeds
  for each row
  execute function private.keep_approval();
