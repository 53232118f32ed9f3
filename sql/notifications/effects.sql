/* Every notification is written here. */
create or replace function private.notify(
    recipient_id uuid,
    kind text,
    spot parking.spots default null,
    availability_id uuid default null,
    claim_id uuid default null,
    start_time timestamptz default null,
    end_time timestamptz default null,
    more jsonb default '{}'
)
  returns void
  language plpgsql
  set search_path = ''
as $$
declare
  v_reason text;
  v_id uuid;
begin
  -- Nobody gets a notification about their own action.
  if notify.recipient_id is not distinct from private.actor_id() then
    return;
  end if;

  v_reason := private.given_reason();
  insert into parking.notifications
    (recipient_id, kind, message, data, claim_id, availability_id, spot_id)
  values (
    notify.recipient_id,
    notify.kind,
    private.notification_message(
      notify.recipient_id, notify.kind, notify.spot, notify.start_time, notify.end_time,
      v_reason
    ),
    private.notification_data(
      notify.recipient_id, notify.spot, notify.start_time, notify.end_time, v_reason
    ) || notify.more,
    notify.claim_id,
    notify.availability_id,
    (notify.spot).id
  )
  returning id into v_id;

  -- Without actor and reason, which the event that it is about has: to find them out costs time.
  insert into private.new_events (type, subject_id, actor_id, reason, data)
  values (
    'notification.created', v_id, null, null,
    jsonb_build_object('recipient_id', notify.recipient_id)
  );
end;
$$;

comment on function private.notify is
  'Notifies a resident of another person''s action. For triggers; the API role may not call it.';

/* Notifies a person of what an administrator decided about their account, or about their spot. */
create or replace function private.notify_of_decision()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of another on behalf of the administrator
  set search_path = ''
as $$
begin
  if tg_table_name = 'spots' then
    perform private.notify(new.owner_id, tg_argv[0], new);
  else
    perform private.notify(new.id, tg_argv[0]);
  end if;
  return null;
end;
$$;

create or replace trigger notify_of_approval
  after update of is_approved on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.notify_of_decision('profile.approved');

-- They get it by mail: notifications are for who is approved.
create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.notify_of_decision('profile.rejected');

create or replace trigger notify_of_verification
  after update of is_verified on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.notify_of_decision('spot.verified');

/* Notifies the owner of a window that an administrator removed. */
create or replace function private.notify_of_availability_deletion()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  -- The deletion of a spot has its own notification.
  perform private.notify(
    d.owner_id,
    'availability.deleted',
    s,
    availability_id => d.id,
    start_time => d.start_time,
    end_time => d.end_time
  )
     from deleted d
     join parking.spots s on s.id = d.spot_id and s.retired_at is null;
  return null;
end;
$$;

create or replace trigger notify_of_deletion
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.notify_of_availability_deletion();

/* Notifies the owner of a spot of changes of a claim on it, and the claimer of what others do to it. */
create or replace function private.notify_of_claim()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the caller
  set search_path = ''
as $$
declare
  v_claim constant parking.claims := case tg_op when 'DELETE' then old else new end;
  v_kind constant text := case
    when tg_op = 'INSERT' then 'claim.submitted'
    when tg_op = 'DELETE' then 'claim.deleted'
    when new.status is distinct from old.status then 'claim.' || new.status
  end;
  v_spot parking.spots;
  v_recipient_id uuid;
  v_actor_name text;
begin
  if v_kind is null then
    return null;
  end if;

  if v_kind in ('claim.cancelled', 'claim.deleted') then
    update parking.notifications n
       set resolved_at = now()
     where n.claim_id = v_claim.id
       and n.resolved_at is null;
  end if;

  -- The deletion of a spot has its own notification.
  select s.* into v_spot
    from parking.spots s
   where s.id = v_claim.spot_id
     and s.retired_at is null;

  if not found then
    return null;
  end if;

  if v_claim.made_by is not null then
    v_actor_name := (select p.full_name from parking.profiles p where p.id = (select private.acting_id()));
  end if;

  foreach v_recipient_id in array case
    when (v_kind = 'claim.submitted' and v_claim.made_by is not null)
      or (v_kind in ('claim.cancelled', 'claim.deleted') and old.status <> 'cancelled')
      then array[v_claim.owner_id, v_claim.claimer_id]
    else array[v_claim.owner_id]
  end loop
    perform private.notify(
      v_recipient_id,
      v_kind,
      v_spot,
      v_claim.availability_id,
      v_claim.id,
      v_claim.start_time,
      v_claim.end_time,
      jsonb_strip_nulls(jsonb_build_object(
        'claimer_name', case
          when v_recipient_id = v_claim.owner_id
            then (select p.full_name from parking.profiles p where p.id = v_claim.claimer_id)
        end,
        'actor_name', v_actor_name
      ))
    );
  end loop;
  return null;
end;
$$;

create or replace trigger notify_of_claim
  after insert or delete on parking.claims
  for each row
  execute function private.notify_of_claim();

create or replace trigger notify_of_closed
  after update of status on parking.claims
  for each row
  -- Not of what private.erase_person and private.retire_spot complete, which has ended.
  when (new.status <> 'completed' or row_security_active('parking.claims'))
  execute function private.notify_of_claim();

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

  -- One after the other, each with the notification of the one before. Not by the turn of
  -- administrators: who approves this person has it, and waits for the profile.
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
