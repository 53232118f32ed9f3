/*
 * Notifies the administrators that somebody waits for approval. However many register, an administrator has
 * one such notification to read: while it is unread it counts, and is no event and no mail again.
 */
create or replace function private.notify_of_waiting()
  returns trigger
  language plpgsql
  security definer -- writes to the administrators' notifications on behalf of who registers
  set search_path = ''
as $$
declare
  v_count bigint;
  v_administrator_id uuid;
begin
  -- Whom groups or an invitation approved wait for nothing.
  if not exists (select from private.waiting_people w where w.id = new.id) then
    return null;
  end if;

  -- One after the other, each with the notification of the one before. Not by administrators_lock: who
  -- approves this person has it, and waits for the profile.
  perform private.take_turn('profiles.waiting');
  v_count := (select count(*) from private.waiting_people);

  for v_administrator_id in
    select p.id
      from parking.profiles p
     where p.is_admin
       and p.is_approved
     order by p.id
  loop
    update parking.notifications n
       set data = jsonb_build_object('count', v_count)
     where n.recipient_id = v_administrator_id
       and n.kind = 'profiles.waiting'
       and not n.is_read;

    if not found then
      perform private.notify(
        v_administrator_id, 'profiles.waiting', more => jsonb_build_object('count', v_count)
      );
    end if;
  end loop;
  return null;
end;
$$;

comment on function private.notify_of_waiting is
  'Trigger function: notifies the administrators that somebody waits for approval.';

-- Deferred, so that groups and invitations have approved by then.
drop trigger if exists notify_of_waiting on parking.profiles;
create constraint trigger notify_of_waiting
  after insert on parking.profiles
  deferrable initially deferred
  for each row
  when (not new.is_approved)
  execute function private.notify_of_waiting();

-- A person who was rejected and asks again.
drop trigger if exists notify_of_waiting_again on parking.profiles;
create constraint trigger notify_of_waiting_again
  after update on parking.profiles
  deferrable initially deferred
  for each row
  when (old.rejection_reason is not null and new.rejection_reason is null and not new.is_approved)
  execute function private.notify_of_waiting();
