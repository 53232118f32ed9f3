--! Previous: sha1:4d522005cf90dabea496ad06a78fe87880d47fd9
--! Hash: sha1:9942f4617690ff4798490904e6ef4216c785af2a
--! Message: a page that people open with pleasure

-- Functions with one argument more.
drop function if exists api.update_profile_flags(uuid, boolean, boolean);
drop function if exists private.notify(uuid, text, parking.spots, uuid, uuid, timestamptz, timestamptz);

--! Included notifications/is_notification_kind.sql
/* A function for the reason that private.is_event_type has. */
create or replace function private.is_notification_kind(kind text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return kind in (
    'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'profile.approved', 'profile.rejected', 'profiles.waiting', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'pattern.collided', 'report.submitted', 'wish.fits', 'webhook.disabled'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;
--! EndIncluded notifications/is_notification_kind.sql
--! Included preferences/are_mail_kinds.sql
/* A function for the reason that private.is_event_type has. */
create or replace function private.are_mail_kinds(kinds text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return coalesce(array_ndims(kinds), 1) = 1 and cardinality(kinds) = (
    select count(distinct k.kind)
      from unnest(kinds) k (kind)
     where private.is_notification_kind(k.kind)
        or k.kind in ('claim.starts', 'claim.ends')
  );
end;
$$;

comment on function private.are_mail_kinds is
  'Whether these are different kinds of mail: those of notifications, and reminders.';
grant execute on function private.are_mail_kinds to parking_api;
--! EndIncluded preferences/are_mail_kinds.sql
-- Kinds of mail that are new, for buildings that did not say that they want none.
update parking.building
   set mail = mail || array['profile.rejected', 'report.submitted']
 where cardinality(mail) > 0
   and not mail && array['profile.rejected', 'report.submitted'];
-- Those whose approval was taken back before the column was there. Their row shows it from now on.
alter table parking.profiles
  add column if not exists is_suspended boolean not null default false;
update parking.profiles p
   set is_suspended = true
 where not p.is_approved
   and exists (
     select from private.events e
      where e.type = 'profile.approved'
        and e.subject_id = p.id
   );
drop table if exists private.claimers; -- private.turns has such rows for every rule that counts
--! Included turns/table.sql
/*
 * Who inserts rows that a rule counts, twice at one moment: the second waits for the first, and counts its
 * rows. Rows that nobody else can lock: two residents who claim each other's spots lock each other's
 * profiles (enforce_approved_owner), and would wait for each other.
 */
create table if not exists private.turns (
  key bigint,
  constraint turns_pkey primary key (key)
);

comment on table private.turns is
  'A row for each rule and each person whose rows it has counted, to be locked.';
comment on column private.turns.key is
  'A hash of the name of the rule and the id of the person, as private.take_turn makes it.';

alter table private.turns enable row level security;
-- No policy and no grant: only trigger functions write it.
--! EndIncluded turns/table.sql
--! Included turns/take_turn.sql
create or replace function private.take_turn(rule text, person_id uuid default null)
  returns void
  language sql
  volatile
  security invoker -- a tool of trigger functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  -- Written, not only locked: a transaction with a snapshot from before the other rows fails here.
  insert into private.turns (key)
  values (hashtextextended(concat_ws(' ', take_turn.rule, take_turn.person_id), 0))
  on conflict on constraint turns_pkey do update
     set key = excluded.key
$$;

comment on function private.take_turn is
  'Makes those who insert rows that this rule counts, of this person or of the building, wait for each other, and fail where they do not see each other.';
--! EndIncluded turns/take_turn.sql
--! Included profiles/table.sql
/* One profile for each person who registered with the building. */
create table if not exists parking.profiles (
  id uuid,
  email text not null,
  full_name text,
  apartment_number text not null,
  phone_number text,
  shares_phone_number boolean not null default false,
  is_approved boolean not null default false,
  is_admin boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint profiles_one_per_user primary key (id)
);

alter table parking.profiles
  add column if not exists vehicle text;

comment on table parking.profiles is
  E'@absent User profile not found\nA resident''s account in the building.';
comment on column parking.profiles.id is
  'The id of the user at the identity provider.';
comment on column parking.profiles.email is
  'Follows the identity provider; cannot be edited here.';
comment on column parking.profiles.full_name is
  'The resident''s name.';
comment on column parking.profiles.apartment_number is
  'The resident''s apartment.';
comment on column parking.profiles.phone_number is
  'Digits, spaces and +().-/';
comment on column parking.profiles.shares_phone_number is
  'Whether those with whom the resident shares a claim may see the phone number.';
comment on column parking.profiles.vehicle is
  'The plate of the vehicle that the resident usually comes with.';
comment on column parking.profiles.is_approved is
  'Whether the account is approved, by an administrator or by the groups of the identity provider; until then the resident sees only their own profile.';
comment on column parking.profiles.is_admin is
  'Whether the account has administrator privileges; they apply only while it is approved.';
comment on column parking.profiles.created_at is
  'When the account was registered.';
comment on column parking.profiles.updated_at is
  'When the row last changed.';

alter table parking.profiles
  add column if not exists is_approved_by_groups boolean not null default false,
  add column if not exists is_admin_by_groups boolean not null default false,
  add column if not exists is_suspended boolean not null default false,
  add column if not exists rejection_reason text;

comment on column parking.profiles.is_approved_by_groups is
  'Whether the groups of the identity provider decided is_approved when the person last came.';
comment on column parking.profiles.is_admin_by_groups is
  'Whether the groups of the identity provider decided is_admin when the person last came.';

comment on column parking.profiles.rejection_reason is
  'Why an administrator did not approve the account. Approval clears it, and so does the person by changing their details: they ask again.';

comment on column parking.profiles.is_suspended is
  'Whether the account was approved before, and the approval was taken back.';

create index if not exists profiles_created_at_id_idx
  on parking.profiles (created_at desc, id);

-- The few who are not approved: each read of windows asks who of them has spots.
create index if not exists profiles_not_approved_idx
  on parking.profiles (id)
  where not is_approved;

create or replace trigger touch
  before update on parking.profiles
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded profiles/table.sql
--! Included profiles/clear_rejection.sql
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
--! EndIncluded profiles/clear_rejection.sql
--! Included profiles/erase_from_texts.sql
/*
 * People write names into free texts: reasons, reports of cars and the descriptions of spots. There they are replaced.
 * Messages of notifications are texts of the service, and made anew.
 */
create or replace function private.erase_from_texts(id uuid, names text[])
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  -- A section that has spots of others too is no name, whatever it is called.
  v_sections constant text[] := array(
    select s.building_section from parking.spots s where s.owner_id <> erase_from_texts.id
  );
  v_texts constant text := (
    select upper(string_agg(t.value, ' '))
      from (
        select concat_ws(' ', r.vehicle, r.note)
          from parking.spot_reports r
        union all
        select e.reason
          from private.events e
         where e.reason is not null
        union all
        select concat_ws(' ', e.data ->> 'spot_number', e.data ->> 'building_section')
          from private.events e
         where e.type like 'spot.%'
           and e.data ->> 'owner_id' = erase_from_texts.id::text
        union all
        select concat_ws(' ', s.spot_number, s.building_section)
          from parking.spots s
         where s.owner_id = erase_from_texts.id
      ) t (value)
  );
  -- Of thousands of names that a person may have had, few are in any text.
  v_names constant text[] := array(
    select n.name
      from unnest(erase_from_texts.names) n (name)
     where position(upper(n.name) in v_texts) > 0
  );
  v_notifications uuid[];
begin
  delete from parking.notifications n
   where n.recipient_id = erase_from_texts.id
      -- The log, from which other messages are made anew, has none of these; the windows have ended.
      or (
        n.kind = 'wish.fits'
        and n.spot_id in (
          select e.subject_id
            from private.events e
           where e.type like 'spot.%'
             and e.data ->> 'owner_id' = erase_from_texts.id::text
        )
      );

  -- What the person typed may be a name; a section that there is, is none.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_from_texts.id
     and w.building_section <> all (v_sections);

  if cardinality(v_names) = 0 then
    return;
  end if;

  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when erased.spot_number = s.spot_number then s.spot_number
           else 'erased ' || right(s.id::text, 12)
         end,
         building_section = erased.building_section
    from (
      select o.id,
             private.without_names(o.spot_number, v_names) as spot_number,
             case
               when o.building_section = any (v_sections) then o.building_section
               else regexp_replace(left(private.without_names(o.building_section, v_names), 100), '\s+$', '')
             end as building_section
        from parking.spots o
       where o.owner_id = erase_from_texts.id
    ) erased
   where s.id = erased.id
     and (erased.spot_number, erased.building_section) <> (s.spot_number, s.building_section);

  -- Limits of a section that was named after the person, and has no spots now.
  delete from parking.section_limits l
   where l.building_section <> all (v_sections)
     and private.without_names(l.building_section, v_names) <> l.building_section;

  -- The person's own car may have been a stranger's to somebody.
  update parking.spot_reports r
     set vehicle = case when private.without_names(r.vehicle, v_names) = r.vehicle then r.vehicle end,
         note = regexp_replace(left(private.without_names(r.note, v_names), 300), '\s+$', '')
   where private.without_names(r.vehicle, v_names) <> r.vehicle
      or private.without_names(r.note, v_names) <> r.note;

  update parking.notifications n
     set data = n.data - 'vehicle'
   where n.kind = 'report.submitted'
     and private.without_names(n.data ->> 'vehicle', v_names) <> n.data ->> 'vehicle';

  -- Those whose message has a reason or the number of a spot that changes below.
  v_notifications := array(
    with changed as materialized (
      select e.type, e.subject_id
        from private.events e
       where e.reason is not null
         and private.without_names(e.reason, v_names) <> e.reason
    ),
    renamed as materialized (
      select e.subject_id
        from private.events e
       where e.type like 'spot.%'
         and e.data ->> 'owner_id' = erase_from_texts.id::text
         and private.without_names(e.data ->> 'spot_number', v_names) <> e.data ->> 'spot_number'
    )
    select n.id
      from parking.notifications n
     cross join lateral (values (n.claim_id), (n.availability_id), (n.spot_id), (n.recipient_id)) s (id)
     where (n.kind, s.id) in (select c.type, c.subject_id from changed c)
    union
    select n.id
      from parking.notifications n
     where n.spot_id in (select r.subject_id from renamed r)
  );

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', private.without_names(e.data ->> 'spot_number', v_names),
           'building_section', case
             when e.data ->> 'building_section' = any (v_sections) then e.data ->> 'building_section'
             else private.without_names(e.data ->> 'building_section', v_names)
           end
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_from_texts.id::text;

  update private.events e
     set reason = regexp_replace(left(private.without_names(e.reason, v_names), 300), '\s+$', '')
   where e.reason is not null
     and private.without_names(e.reason, v_names) <> e.reason;

  perform set_config('parking.erasing', 'off', true);

  perform private.renew_messages(v_notifications);
end;
$$;

comment on function private.erase_from_texts is
  'Erases these names from reasons, from reports of cars, from the descriptions of this person''s spots, and from the messages that repeat these.';
--! EndIncluded profiles/erase_from_texts.sql
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace: name, address and phone number go from everywhere,
 * also from the event log. Rows stay, so that counts and reports stay true, and so does what is over.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_names text[];
  v_profile parking.profiles;
begin
  perform private.lock_person(erase_person.id);
  v_names := private.names_of(erase_person.id);
  perform private.end_of_person(erase_person.id);

  -- What the person accepted, and could still accept: somebody else may be invited by an address that
  -- this person only claims.
  delete from parking.invitations i
   where i.profile_id = erase_person.id
      or i.address = (
           select private.address_key(u.email)
             from private.users u
            where u.id = erase_person.id
              and u.email_confirmed_at is not null
         );

  -- A changed address locks the profile so that nobody can notify the person any more. A transaction that
  -- is about to may have changed an older notification, which is deleted below: it ends first.
  perform
     from parking.notifications n
    where n.recipient_id = erase_person.id
    order by n.id
      for update;

  update private.users u
     set email = u.id || '@erased.invalid',
         email_confirmed_at = null,
         erased_at = now()
   where u.id = erase_person.id;

  update parking.profiles p
     set full_name = null,
         apartment_number = 'erased',
         phone_number = null,
         shares_phone_number = false,
         vehicle = null,
         rejection_reason = null,
         is_approved = false,
         is_admin = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  delete from private.idempotency_keys k
   where k.person_id = erase_person.id;

  delete from parking.preferences p
   where p.person_id = erase_person.id;

  delete from parking.spot_reports r
   where r.reporter_id = erase_person.id;

  perform private.lock_events();
  perform private.erase_guests(erase_person.id);
  perform private.erase_notes(erase_person.id);

  insert into private.new_events (type, subject_id, data)
  values ('profile.erased', v_profile.id, to_jsonb(v_profile));

  -- After the last event: the reason of the erasure may name the person too.
  perform private.erase_from_texts(erase_person.id, v_names);

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data - '{vehicle, rejection_reason}'::text[] || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         )
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  -- What a report says of a car is dropped when its event gets a position: private.event_data.
  update private.new_events e
     set data = e.data - '{vehicle, note}'::text[]
   where e.type like 'report.%'
     and e.data ->> 'reporter_id' = erase_person.id::text;

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, the invitations and the answers kept under idempotency keys. Cancels their claims that have not ended and those on their spots, and ends their free windows. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
--! Included profiles/note_suspension.sql
/* Who was approved and no longer is does not wait for approval, and reads so. */
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
--! EndIncluded profiles/note_suspension.sql
--! Included profiles/update_profile_flags.sql
drop function if exists api.update_profile_flags(uuid, boolean, boolean[]);
create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null,
    rejection_reason text default null
)
  returns parking.profiles
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();

  if update_profile_flags.rejection_reason <> '' then
    perform private.give_reason(update_profile_flags.rejection_reason);
  end if;

  -- Null leaves a field as it is; an empty text clears the reason.
  if num_nonnulls(
    update_profile_flags.is_approved, update_profile_flags.is_admin, update_profile_flags.rejection_reason
  ) > 0 then
    update parking.profiles p
       set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
           is_admin = coalesce(update_profile_flags.is_admin, p.is_admin),
           rejection_reason =
             nullif(coalesce(update_profile_flags.rejection_reason, p.rejection_reason), '')
     where p.id = update_profile_flags.id
    returning * into v_profile;
  else
    select p.* into v_profile
      from parking.profiles p
     where p.id = update_profile_flags.id;
  end if;

  if not found then
    perform private.refuse_unchanged('profiles');
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account, reject it with a reason, or make an administrator; or take that back';
grant execute on function api.update_profile_flags to parking_api;

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_profile_flags(id uuid, is_approved boolean, variadic is_admin boolean[])
  returns parking.profiles
  language sql
  stable
return null::parking.profiles;

comment on function api.update_profile_flags(uuid, boolean, boolean[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_profile_flags(uuid, boolean, boolean[]) to parking_api;
--! EndIncluded profiles/update_profile_flags.sql
--! Included profiles/policies.sql
/* Who may see and write profiles. No role deletes one: spots and claims refer to it. */
alter table parking.profiles enable row level security;

drop policy if exists select_own_or_as_administrator on parking.profiles;
create policy select_own_or_as_administrator on parking.profiles
  for select to parking_api
  using (
    id = (select private.caller_id())
    or (select private.is_administrator()) -- last: one's own row does not ask
  );

drop policy if exists insert_own on parking.profiles;
create policy insert_own on parking.profiles
  for insert to parking_api
  with check (id = (select private.caller_id()));

drop policy if exists update_own on parking.profiles;
create policy update_own on parking.profiles
  for update to parking_api
  using (id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.profiles;
create policy update_as_administrator on parking.profiles
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.profiles to parking_api;
grant insert (id, email, full_name, apartment_number, phone_number, shares_phone_number, vehicle)
  on parking.profiles to parking_api;
-- No update of email: it follows private.users through the foreign key.
grant update (
    full_name, apartment_number, phone_number, shares_phone_number, vehicle,
    is_approved, is_admin, rejection_reason
  )
  on parking.profiles to parking_api;
--! EndIncluded profiles/policies.sql
--! Included profiles/rules/administrator_required.sql
create or replace trigger administrator_required
  before update of is_approved, is_admin, rejection_reason on parking.profiles
  for each row
  when (
    (new.is_approved, new.is_admin, new.rejection_reason)
      is distinct from (old.is_approved, old.is_admin, old.rejection_reason)
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
    and not private.is_administrator()
  )
  execute function private.enforce_rule('42501');

comment on trigger administrator_required on parking.profiles is
  'Administrator privileges required';
--! EndIncluded profiles/rules/administrator_required.sql
--! Included profiles/rules/profiles_approved_are_not_rejected.sql
alter table parking.profiles
  drop constraint if exists profiles_approved_are_not_rejected,
  add constraint profiles_approved_are_not_rejected
    check (not is_approved or rejection_reason is null);

comment on constraint profiles_approved_are_not_rejected on parking.profiles is
  E'@status 409\nThis account is approved: take the approval back to reject it';
--! EndIncluded profiles/rules/profiles_approved_are_not_rejected.sql
--! Included profiles/rules/profiles_erased_stay_erased.sql
create or replace trigger profiles_erased_stay_erased
  before update of
    full_name, apartment_number, phone_number, shares_phone_number, vehicle, is_approved, is_admin,
    rejection_reason
  on parking.profiles
  for each row
  when (
    (
      new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number, new.vehicle,
      new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number, old.vehicle,
      old.is_approved, old.is_admin, old.rejection_reason
    )
    and old.email = old.id || '@erased.invalid' -- by private.erase_person; no mail has such an address
    and row_security_active('parking.profiles') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule('42501');

comment on trigger profiles_erased_stay_erased on parking.profiles is
  'This account was erased';
--! EndIncluded profiles/rules/profiles_erased_stay_erased.sql
--! Included profiles/rules/profiles_rejection_reason_is_one_line.sql
alter table parking.profiles
  drop constraint if exists profiles_rejection_reason_is_one_line,
  add constraint profiles_rejection_reason_is_one_line
    check (private.is_one_line(rejection_reason, 1, 300));

comment on constraint profiles_rejection_reason_is_one_line on parking.profiles is
  E'@field rejection_reason\nrejection_reason must be 1 to 300 characters on one line';
--! EndIncluded profiles/rules/profiles_rejection_reason_is_one_line.sql
--! Included building/table.sql
/* What is particular to the building: one row, which administrators change. */
create table if not exists parking.building (
  id uuid default uuidv7(),
  name text not null default 'The building',
  time_zone text not null default 'UTC',
  longest_window_days integer,
  horizon_days integer,
  shortest_claim_minutes integer,
  longest_claim_minutes integer,
  claim_notice_minutes integer,
  cancellation_cutoff_minutes integer,
  most_active_claims integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint building_pkey primary key (id)
);

alter table parking.building
  add column if not exists pattern_days integer not null default 28,
  add column if not exists rest_stays_on_offer boolean not null default false,
  add column if not exists offer_minutes integer,
  add column if not exists event_days integer not null default 400,
  add column if not exists notification_days integer not null default 400,
  add column if not exists job_days integer not null default 30,
  add column if not exists mail text[] not null default '{}',
  add column if not exists language text not null default 'en',
  add column if not exists remind_minutes integer not null default 60,
  add column if not exists grace_minutes integer default 5,
  add column if not exists mark text,
  add column if not exists colour text;

alter table parking.building
  alter column mail set default array[
    'claim.submitted', 'claim.cancelled', 'claim.deleted', 'claim.starts', 'claim.ends',
    'profile.approved', 'profile.rejected', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'pattern.collided', 'wish.fits', 'profiles.waiting'
  ];

comment on table parking.building is
  E'@absent Building not found\nThe building, one row: its name, its time zone and its limits.';
comment on column parking.building.id is
  'Identifies the building.';
comment on column parking.building.name is
  'What people call the building.';
comment on column parking.building.time_zone is
  'The time zone of notifications and reports, by its IANA name. The API is in UTC.';
comment on column parking.building.longest_window_days is
  'How long a window may last, in calendar days. Null: no limit.';
comment on column parking.building.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: no limit.';
comment on column parking.building.shortest_claim_minutes is
  'How long a claim lasts at least. Null: no limit.';
comment on column parking.building.longest_claim_minutes is
  'How long a claim lasts at most. Null: no limit.';
comment on column parking.building.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: no limit.';
comment on column parking.building.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: no limit.';
comment on column parking.building.most_active_claims is
  'How many claims that have not ended a resident may have, completed ones included. Null: no limit.';
comment on column parking.building.pattern_days is
  'For how many days, from today on, the windows of patterns are published.';
comment on column parking.building.rest_stays_on_offer is
  'Whether a claim of a part of a window leaves the rest on offer, as windows of their own.';
comment on column parking.building.offer_minutes is
  'How long each who waits has for a window before the next is asked, in the order of asking. Null: all are told at once.';
comment on column parking.building.event_days is
  'For how many days the event log keeps what happened to windows, patterns, claims and strangers'' cars. What happened to profiles and spots stays.';
comment on column parking.building.notification_days is
  'For how many days notifications, and reports of strangers'' cars, are kept.';
comment on column parking.building.job_days is
  'For how many days mails and deliveries that ended can be looked up.';
comment on column parking.building.mail is
  'What people are told by mail who did not choose themselves, by its kinds.';
comment on column parking.building.language is
  'The language of the mails to those who did not choose one.';
comment on column parking.building.remind_minutes is
  'How long before a claim starts, and before it ends, people are reminded who did not choose themselves.';
comment on column parking.building.grace_minutes is
  'For how long after it was made a claim can be cancelled, deleted or moved whatever cancellation_cutoff_minutes says. Null: not at all.';
comment on column parking.building.mark is
  'One or two letters, or an emoji, beside the name of the building. Null: the first letter of the name. Like the name and the colour, people read it before they sign in.';
comment on column parking.building.colour is
  'The colour of the building, as #rrggbb. What is written in it is made darker or lighter until it can be read. Null: as the page has it.';
comment on column parking.building.created_at is
  'When the database was made.';
comment on column parking.building.updated_at is
  'When the row last changed.';

-- What administrators may change.
grant update (
    name, time_zone,
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims,
    pattern_days, rest_stays_on_offer, offer_minutes,
    event_days, notification_days, job_days,
    mail, language, remind_minutes, grace_minutes,
    mark, colour
  )
  on parking.building to parking_api;

insert into parking.building
select
 where not exists (select from parking.building);

create or replace trigger touch
  before update on parking.building
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded building/table.sql
--! Included building/update_building.sql
drop function if exists api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]);
-- Each setting is an argument: with other arguments it would be another function.
drop function if exists api.update_building;
create or replace function api.update_building(
    name text default null,
    time_zone text default null,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null,
    pattern_days integer default null,
    rest_stays_on_offer boolean default null,
    offer_minutes integer default null,
    event_days integer default null,
    notification_days integer default null,
    job_days integer default null,
    mail text[] default null,
    language text default null,
    remind_minutes integer default null,
    grace_minutes integer default null,
    mark text default null,
    colour text default null
)
  returns parking.building
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_building parking.building;
begin
  perform private.require_administrator();

  -- Null leaves a limit as it is; 0 clears it. An empty text clears mark and colour.
  update parking.building b
     set name = coalesce(update_building.name, b.name),
         time_zone = coalesce(update_building.time_zone, b.time_zone),
         longest_window_days =
           nullif(coalesce(update_building.longest_window_days, b.longest_window_days), 0),
         horizon_days =
           nullif(coalesce(update_building.horizon_days, b.horizon_days), 0),
         shortest_claim_minutes =
           nullif(coalesce(update_building.shortest_claim_minutes, b.shortest_claim_minutes), 0),
         longest_claim_minutes =
           nullif(coalesce(update_building.longest_claim_minutes, b.longest_claim_minutes), 0),
         claim_notice_minutes =
           nullif(coalesce(update_building.claim_notice_minutes, b.claim_notice_minutes), 0),
         cancellation_cutoff_minutes = nullif(
           coalesce(update_building.cancellation_cutoff_minutes, b.cancellation_cutoff_minutes), 0
         ),
         most_active_claims =
           nullif(coalesce(update_building.most_active_claims, b.most_active_claims), 0),
         pattern_days = coalesce(update_building.pattern_days, b.pattern_days),
         rest_stays_on_offer =
           coalesce(update_building.rest_stays_on_offer, b.rest_stays_on_offer),
         offer_minutes = nullif(coalesce(update_building.offer_minutes, b.offer_minutes), 0),
         event_days = coalesce(update_building.event_days, b.event_days),
         notification_days = coalesce(update_building.notification_days, b.notification_days),
         job_days = coalesce(update_building.job_days, b.job_days),
         mail = coalesce(update_building.mail, b.mail),
         language = coalesce(update_building.language, b.language),
         remind_minutes = coalesce(update_building.remind_minutes, b.remind_minutes),
         grace_minutes = nullif(coalesce(update_building.grace_minutes, b.grace_minutes), 0),
         mark = nullif(coalesce(update_building.mark, b.mark), ''),
         colour = nullif(coalesce(update_building.colour, b.colour), '')
  returning * into v_building;

  if not found then
    perform private.refuse_unchanged('building');
  end if;

  return v_building;
end;
$$;

comment on function api.update_building is
  'Change the building; null clears a limit. Windows and claims that are there stay as they are';
grant execute on function api.update_building to parking_api;

-- A service of 1.0.0 starts only where it finds these arguments. Its calls have names, and by names none
-- finds a variadic function: they go to the one above.
create function api.update_building(
    name text,
    time_zone text,
    longest_window_days integer,
    horizon_days integer,
    shortest_claim_minutes integer,
    longest_claim_minutes integer,
    claim_notice_minutes integer,
    cancellation_cutoff_minutes integer,
    variadic most_active_claims integer[]
)
  returns parking.building
  language sql
  stable
return null::parking.building;

comment on function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]) is
  'Never called: for the start of services of 1.0.0.';
grant execute on function api.update_building(text, text, integer, integer, integer, integer, integer, integer, integer[]) to parking_api;
--! EndIncluded building/update_building.sql
--! Included building/rules/building_colour_is_hexadecimal.sql
alter table parking.building
  drop constraint if exists building_colour_is_hexadecimal,
  add constraint building_colour_is_hexadecimal
    check (colour ~ '^#[0-9A-Fa-f]{6}$');

comment on constraint building_colour_is_hexadecimal on parking.building is
  E'@field colour\ncolour must be # and six hexadecimal digits, such as #1d6f42';
--! EndIncluded building/rules/building_colour_is_hexadecimal.sql
--! Included building/rules/building_limits_are_in_range.sql
alter table parking.building
  drop constraint if exists building_limits_are_in_range,
  add constraint building_limits_are_in_range
    check (
      least(
        longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, grace_minutes, most_active_claims,
        offer_minutes
      ) >= 1
      and greatest(longest_window_days, horizon_days) <= 36500
      and greatest(
        shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, grace_minutes, offer_minutes
      ) <= 525600
      and most_active_claims <= 1000
    );

comment on constraint building_limits_are_in_range on parking.building is
  'A limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
--! EndIncluded building/rules/building_limits_are_in_range.sql
--! Included building/rules/building_mark_is_short.sql
alter table parking.building
  drop constraint if exists building_mark_is_short,
  add constraint building_mark_is_short
    check (private.is_one_line(mark, 1, 2));

comment on constraint building_mark_is_short on parking.building is
  E'@field mark\nmark must be one or two characters, such as L5 or an emoji';
--! EndIncluded building/rules/building_mark_is_short.sql
--! Included spots/table.sql
/* The building's parking spots, each entered by its owner. */
create table if not exists parking.spots (
  id uuid default uuidv7(),
  spot_number text not null,
  owner_id uuid not null default private.caller_id(),
  building_section text not null,
  is_verified boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint spots_pkey primary key (id),
  -- Availabilities and claims carry the owner down by foreign key, and so need no join to know it.
  constraint spots_id_owner_id_key unique (id, owner_id)
);

alter table parking.spots
  add column if not exists notes text;

comment on table parking.spots is
  E'@absent Parking spot not found\nA parking spot and the resident it belongs to.';
comment on column parking.spots.id is
  'Identifies the spot.';
comment on column parking.spots.spot_number is
  'The number on the ground; unique in the building, ignoring case, compatibility forms (NFKC) and kinds of hyphens.';
comment on column parking.spots.owner_id is
  'The resident who registered the spot.';
comment on column parking.spots.building_section is
  'Section or location description.';
comment on column parking.spots.is_verified is
  'Whether an administrator confirmed number, section and owner.';
comment on column parking.spots.notes is
  'What people should know before they claim the spot, such as its width, its height or a charger. All residents read it.';
comment on column parking.spots.created_at is
  'When the spot was registered.';
comment on column parking.spots.updated_at is
  'When the row last changed.';

create index if not exists spots_spot_number_id_idx on parking.spots (spot_number, id);
create index if not exists spots_owner_id_spot_number_idx on parking.spots (owner_id, spot_number, id);
create index if not exists spots_building_section_spot_number_idx
  on parking.spots (building_section, spot_number, id);

create or replace trigger touch
  before update on parking.spots
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
--! EndIncluded spots/table.sql
--! Included spots/create_spot.sql
-- With other arguments it would be another function.
drop function if exists api.create_spot;
create or replace function api.create_spot(
    spot_number text,
    building_section text,
    notes text default null
)
  returns parking.spots
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  insert into parking.spots (spot_number, building_section, notes)
  values (create_spot.spot_number, create_spot.building_section, create_spot.notes)
  returning * into v_spot;

  perform private.require_approved(); -- still, after all the waiting
  return v_spot;
end;
$$;

comment on function api.create_spot is
  'Register a spot as your own, not yet verified';
grant execute on function api.create_spot to parking_api;
--! EndIncluded spots/create_spot.sql
--! Included spots/erase_notes.sql
/* What owners wrote about their spots may be about themselves, in words that no name of theirs finds. */
create or replace function private.erase_notes(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  delete from parking.spot_access a
   where a.owner_id = erase_notes.id;

  update parking.spots s
     set notes = null
   where s.owner_id = erase_notes.id
     and s.notes is not null;

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data - 'notes'
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_notes.id::text
     and e.data ? 'notes';

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_notes is
  'Erases what the person with this id wrote about their spots, for all and for claimers, also from the event log.';
--! EndIncluded spots/erase_notes.sql
--! Included spots/update_spot.sql
-- With other arguments it would be another function.
drop function if exists api.update_spot;
create or replace function api.update_spot(
    id uuid,
    spot_number text default null,
    building_section text default null,
    notes text default null
)
  returns parking.spots
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  if num_nonnulls(update_spot.spot_number, update_spot.building_section, update_spot.notes) > 0 then
    -- Null leaves a field as it is; an empty text clears the notes.
    update parking.spots s
       set spot_number = coalesce(update_spot.spot_number, s.spot_number),
           building_section = coalesce(update_spot.building_section, s.building_section),
           notes = nullif(coalesce(update_spot.notes, s.notes), '')
     where s.id = update_spot.id
    returning * into v_spot;
  else
    select s.* into v_spot
      from parking.spots s
     where s.id = update_spot.id
       and s.owner_id = (select private.caller_id());
  end if;

  perform private.require_approved(); -- still, after all the waiting
  if v_spot.id is null then
    perform private.refuse_unchanged(
      'spots', 'spots_updated_by_owner',
      exists (select from parking.spots s where s.id = update_spot.id)
    );
  end if;

  return v_spot;
end;
$$;

comment on function api.update_spot is
  'Change your spot; with another number or section it is not verified any more';
grant execute on function api.update_spot to parking_api;
--! EndIncluded spots/update_spot.sql
--! Included spots/policies.sql
/* Approved residents see every spot and write their own; administrators verify and delete. */
alter table parking.spots enable row level security;

drop policy if exists select_all on parking.spots;
create policy select_all on parking.spots
  for select to parking_api
  using (true);

drop policy if exists insert_own on parking.spots;
create policy insert_own on parking.spots
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

drop policy if exists update_own on parking.spots;
create policy update_own on parking.spots
  for update to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.spots;
create policy update_as_administrator on parking.spots
  for update to parking_api
  using ((select private.is_administrator()));

drop policy if exists delete_as_administrator on parking.spots;
create policy delete_as_administrator on parking.spots
  for delete to parking_api
  using ((select private.reason()) is not null);

grant select, delete on parking.spots to parking_api;
-- No insert of owner_id: it is the caller by default. No update of it: spots do not change hands.
grant insert (spot_number, building_section, notes) on parking.spots to parking_api;
grant update (spot_number, building_section, is_verified, notes) on parking.spots to parking_api;
--! EndIncluded spots/policies.sql
--! Included spots/rules/spots_notes_are_one_line.sql
alter table parking.spots
  drop constraint if exists spots_notes_are_one_line,
  add constraint spots_notes_are_one_line
    check (private.is_one_line(notes, 1, 300));

comment on constraint spots_notes_are_one_line on parking.spots is
  E'@field notes\nnotes must be 1 to 300 characters on one line';
--! EndIncluded spots/rules/spots_notes_are_one_line.sql
--! Included spots/rules/spots_updated_by_owner.sql
-- Policies let an administrator update any spot in order to verify it. This refuses other changes.
create or replace trigger spots_updated_by_owner
  before update of spot_number, building_section, notes on parking.spots
  for each row
  when (
    row_security_active('parking.spots') -- binds people, not the owner of the table
    and old.owner_id is distinct from private.caller_id()
  )
  execute function private.enforce_rule('42501');

comment on trigger spots_updated_by_owner on parking.spots is
  'You can only update your own parking spots';
--! EndIncluded spots/rules/spots_updated_by_owner.sql
--! Included spot_access/table.sql
/*
 * How to get to a spot: a code, where the key is. Everybody reads the row of a spot, and so its events
 * and what webhooks send of it; this stands in a row of its own, which has no events.
 */
create table if not exists parking.spot_access (
  spot_id uuid,
  owner_id uuid not null default private.caller_id(),
  access_notes text,
  constraint spot_access_pkey primary key (spot_id)
);

comment on table parking.spot_access is
  E'@absent Access notes not found\nWhat the owner of a spot tells only those who have claimed it.';
comment on column parking.spot_access.spot_id is
  'The spot.';
comment on column parking.spot_access.owner_id is
  'The owner of the spot.';
comment on column parking.spot_access.access_notes is
  'How to get in, such as the code of the gate. The owner and administrators read it, and who has claimed the spot, until the claim ends.';

create index if not exists spot_access_spot_id_owner_id_idx on parking.spot_access (spot_id, owner_id);
create index if not exists spot_access_owner_id_idx on parking.spot_access (owner_id);
--! EndIncluded spot_access/table.sql
--! Included spot_access/get_spot_access.sql
create or replace function api.get_spot_access(id uuid)
  returns setof parking.spot_access
  language sql
  stable
  security invoker
  rows 1
as $$
  -- Who may write some finds an empty row where there are none.
  select s.id, s.owner_id, a.access_notes
    from parking.spots s
    left join parking.spot_access a on a.spot_id = s.id
   where s.id = get_spot_access.id
     and (s.owner_id = (select private.caller_id()) or (select private.is_administrator()))
$$;

comment on function api.get_spot_access is
  'The access notes of your spot, or as an administrator of any; claimers find them among the contacts of their claim';
grant execute on function api.get_spot_access to parking_api;
--! EndIncluded spot_access/get_spot_access.sql
--! Included spot_access/lock_spot_of_access.sql
/*
 * The erasure of a person deletes what it sees, and it locks the spots of the person: new notes and the
 * erasure wait for each other.
 */
create or replace function private.lock_spot_of_access()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a spot
  set search_path = ''
as $$
begin
  perform from parking.spots s where s.id = new.spot_id for no key update;
  if private.caller_id() = new.owner_id then -- not where the owner of the database writes
    perform private.require_approved(); -- still, after all the waiting
  end if;
  return null;
end;
$$;

comment on function private.lock_spot_of_access is
  'Trigger function: locks the spot of new access notes, as the erasure of its owner does.';

create or replace trigger lock_spot_of_access
  after insert on parking.spot_access
  for each row
  execute function private.lock_spot_of_access();
--! EndIncluded spot_access/lock_spot_of_access.sql
--! Included spot_access/update_spot_access.sql
create or replace function api.update_spot_access(id uuid, access_notes text default null)
  returns parking.spot_access
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_access parking.spot_access;
begin
  perform private.require_approved();

  -- Null leaves the notes as they are; an empty text clears them.
  insert into parking.spot_access as a (spot_id, owner_id, access_notes)
  select s.id, s.owner_id, nullif(update_spot_access.access_notes, '')
    from parking.spots s
   where s.id = update_spot_access.id
  on conflict on constraint spot_access_pkey do update
    set access_notes = nullif(coalesce(update_spot_access.access_notes, a.access_notes), '')
  returning * into v_access;

  perform private.require_approved(); -- still, after all the waiting
  if v_access.spot_id is null then
    perform private.refuse_absent('spot_access');
  end if;

  return v_access;
end;
$$;

comment on function api.update_spot_access is
  'Say how to get to your spot; only those who have claimed it read it, until their claim ends';
grant execute on function api.update_spot_access to parking_api;
--! EndIncluded spot_access/update_spot_access.sql
--! Included spot_access/policies.sql
/*
 * The owner and administrators read it here; the claimer reads it in parking.contacts, whose
 * conditions say for how long.
 */
alter table parking.spot_access enable row level security;

drop policy if exists select_own on parking.spot_access;
create policy select_own on parking.spot_access
  for select to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists select_as_administrator on parking.spot_access;
create policy select_as_administrator on parking.spot_access
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists insert_any on parking.spot_access;
create policy insert_any on parking.spot_access
  for insert to parking_api
  with check (true);

drop policy if exists update_own on parking.spot_access;
create policy update_own on parking.spot_access
  for update to parking_api
  using (owner_id = (select private.caller_id()));

grant select on parking.spot_access to parking_api;
grant insert (spot_id, owner_id, access_notes) on parking.spot_access to parking_api;
-- No update of spot_id and owner_id: spots do not change hands. No delete: null is as good.
grant update (access_notes) on parking.spot_access to parking_api;
--! EndIncluded spot_access/policies.sql
--! Included spot_access/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spot_access;
create policy approved_account_required on parking.spot_access
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spot_access is
  'Account not approved';
--! EndIncluded spot_access/rules/approved_account_required.sql
--! Included spot_access/rules/spot_access_notes_are_one_line.sql
alter table parking.spot_access
  drop constraint if exists spot_access_notes_are_one_line,
  add constraint spot_access_notes_are_one_line
    check (private.is_one_line(access_notes, 1, 300));

comment on constraint spot_access_notes_are_one_line on parking.spot_access is
  E'@field access_notes\naccess_notes must be 1 to 300 characters on one line';
--! EndIncluded spot_access/rules/spot_access_notes_are_one_line.sql
--! Included spot_access/rules/spot_access_of_a_spot.sql
alter table parking.spot_access
  drop constraint if exists spot_access_of_a_spot,
  add constraint spot_access_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade;

comment on constraint spot_access_of_a_spot on parking.spot_access is
  E'@status 404\nParking spot not found';
--! EndIncluded spot_access/rules/spot_access_of_a_spot.sql
--! Included spot_access/rules/spot_access_written_by_owner.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_access_written_by_owner on parking.spot_access;
create policy spot_access_written_by_owner on parking.spot_access
  as restrictive
  for insert to parking_api
  with check (owner_id = (select private.caller_id()));

comment on policy spot_access_written_by_owner on parking.spot_access is
  'You can only write the access notes of your own parking spots';
--! EndIncluded spot_access/rules/spot_access_written_by_owner.sql
--! Included claims/claims_open_since.sql
/*
 * As private.open_since, for the claims of all. Others have few claims, and an index of their own: what the
 * long claims of neighbours are is not for them.
 */
create or replace function private.claims_open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return case
  when private.is_administrator() then least(
    claims_open_since.moment - interval '24 hours',
    (
      select min(o.start_time)
        from (
          select c.start_time
            from parking.claims c
           where tstzrange(c.start_time, c.end_time) @> claims_open_since.moment
             and c.end_time - c.start_time >= interval '1 day' -- as in the index
          offset 0 -- else PostgreSQL reads all claims by start until it finds one that is open
        ) o
    )
  )
  else '-infinity'
end;

comment on function private.claims_open_since is
  'For administrators: no claim that ends after the moment and has begun starts before this. For others it says nothing.';
grant execute on function private.claims_open_since to parking_api;
--! EndIncluded claims/claims_open_since.sql
--! Included claims/enforce_cutoff.sql
/*
 * The owner of a spot counts on a claim from the cutoff on: it may still end, or take more time. Until then,
 * and for some minutes after it was made, it can be taken back, also when it has begun: who claims by
 * mistake a time that begins now would have no other moment for it.
 */
-- Not in the condition of the trigger: each statement reads it anew, which costs it more than this.
create or replace function private.enforce_cutoff()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  v_minutes constant integer := (private.limits_of(old.spot_id)).cancellation_cutoff_minutes;
begin
  if v_minutes is null
    or not row_security_active('parking.claims') -- binds people, not the owner of the table
    or clock_timestamp() <= old.start_time - make_interval(mins => v_minutes)
    or private.reason() is not null -- an administrator who gives a reason may
    -- A claim that was moved is as old as it was: moving it again and again would never bind.
    or clock_timestamp() <= old.created_at + make_interval(mins => (private.building()).grace_minutes)
  then
    return case tg_op when 'DELETE' then old else new end;
  end if;

  if tg_op = 'UPDATE'
    and new.status <> 'cancelled'
    and new.start_time <= old.start_time
    and new.end_time >= old.end_time
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

comment on function private.enforce_cutoff is
  'Trigger function: refuses to cancel or delete a claim after the cutoff and the grace, or to give up some of its time.';
--! EndIncluded claims/enforce_cutoff.sql
--! Included claims/enforce_most_claims.sql
create or replace function private.enforce_most_claims()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
declare
  v_most constant integer := (private.limits_of(new.spot_id)).most_active_claims;
begin
  if v_most is null then
    return null; -- here, because a trigger's condition that is long costs each claim more
  end if;
  if new.end_time <= clock_timestamp() or (tg_op = 'UPDATE' and old.end_time > clock_timestamp()) then
    return null; -- over, or counted already
  end if;

  perform private.take_turn(tg_name, new.claimer_id);

  -- First all of them, by an index alone.
  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > v_most
    and private.claims_counted_with(new.spot_id, new.claimer_id) > v_most
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_most_claims is
  'Trigger function: refuses a claim to a resident who has as many as the building, or the section, allows.';
--! EndIncluded claims/enforce_most_claims.sql
--! Included exceptions/enforce_few_exceptions.sql
create or replace function private.enforce_few_exceptions()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.owner_id for no key update;
  perform private.take_turn(tg_name, new.owner_id);

  if (
    select count(*)
      from parking.exceptions e
     where e.owner_id = new.owner_id
       and e.end_time > clock_timestamp()
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_exceptions is
  'Trigger function: refuses an exception to a person who has as many that have not ended as the argument says.';
--! EndIncluded exceptions/enforce_few_exceptions.sql
--! Included contacts/view.sql
/* The owner of a claimed spot and its claimer see whom they share it with. Nobody else does. */
-- The view reads profiles as its owner, because the policies show residents only their own: its
-- conditions are the policy. With security_barrier no function of a query sees a row before them.
create or replace view parking.contacts
  with (security_barrier)
as
  select c.id as claim_id,
         case p.id when c.owner_id then 'owner' else 'claimer' end as role,
         p.full_name,
         p.apartment_number,
         case when p.shares_phone_number then p.phone_number end as phone_number,
         a.access_notes
    from parking.claims c
    join parking.profiles p on p.id in (c.owner_id, c.claimer_id)
    -- For the claimer, whom the owner lets in until the claim ends.
    left join parking.spot_access a
      on a.spot_id = c.spot_id
     and p.id = c.owner_id
     and c.status = 'active'
     and c.end_time > now()
   where (select private.caller_id()) in (c.owner_id, c.claimer_id)
     and p.id <> (select private.caller_id())
     and c.status <> 'cancelled' -- there is nothing to agree on any more
     and (select private.is_approved());

comment on view parking.contacts is
  E'@absent Contact not found\nThe other person of a claim that is not cancelled: on a spot of the caller, or by the caller.';
comment on column parking.contacts.claim_id is
  'The claim.';
comment on column parking.contacts.role is
  'What the person is to the claim: the owner of the spot, or the claimer.';
comment on column parking.contacts.full_name is
  'The person''s name, if they gave it.';
comment on column parking.contacts.apartment_number is
  'The person''s apartment.';
comment on column parking.contacts.phone_number is
  'The person''s phone number, if they gave one and share it.';
comment on column parking.contacts.access_notes is
  'How to get to the spot, for the claimer until the claim ends, if the owner said it.';
grant select on parking.contacts to parking_api;
--! EndIncluded contacts/view.sql
--! Included notifications/notification_message.sql
/* Every text of a notification. It is made anew where what it repeats has been erased. */
create or replace function private.notification_message(
    recipient_id uuid,
    kind text,
    spot parking.spots,
    start_time timestamptz,
    end_time timestamptz,
    reason text
)
  returns text
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_is_owner constant boolean := recipient_id = spot.owner_id;
  v_span constant text := private.readable_span(start_time, end_time);
begin
  return concat_ws('. Reason: ', case
    when kind = 'profile.approved' then 'Your account was approved'
    when kind = 'profile.rejected' then 'Your account was not approved'
    when kind = 'profiles.waiting' then 'Somebody waits for approval'
    when kind = 'webhook.disabled' then 'A webhook was turned off, because its deliveries failed'
    when kind = 'spot.verified' then format('Your parking spot %s was verified', spot.spot_number)
    when kind = 'spot.deleted' and v_is_owner
      then format('Your parking spot %s was deleted', spot.spot_number)
    when kind = 'spot.deleted'
      then format('Parking spot %s, which you had claimed, was deleted', spot.spot_number)
    when kind = 'availability.deleted'
      then format('Your window of parking spot %s %s was deleted', spot.spot_number, v_span)
    when kind = 'report.submitted' and v_is_owner
      then format('A stranger''s car was reported on your parking spot %s', spot.spot_number)
    when kind = 'report.submitted'
      then format('A stranger''s car was reported on parking spot %s', spot.spot_number)
    when kind = 'wish.fits'
      then format('Parking spot %s is free %s, as you wished', spot.spot_number, v_span)
    when kind = 'pattern.collided'
      then format('Your pattern could not offer parking spot %s %s, because of another window', spot.spot_number, v_span)
    else format(
      '%s parking spot %s %s was %s',
      case when v_is_owner then 'The claim of your' else 'Your claim of' end,
      spot.spot_number,
      v_span,
      split_part(kind, '.', 2)
    )
  end, reason);
end;
$$;

comment on function private.notification_message is
  'What a notification of this kind says to the recipient: what happened, in a sentence, and the reason if there is one.';
--! EndIncluded notifications/notification_message.sql
--! Included notifications/notify.sql
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
  volatile
  set search_path = ''
as $$
declare
  v_reason text;
  v_id uuid;
begin
  -- Nobody gets a notification about their own action.
  if notify.recipient_id is not distinct from private.caller_id() then
    return;
  end if;

  v_reason := private.reason();
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
--! EndIncluded notifications/notify.sql
--! Included notifications/notify_of_rejection.sql
/* Notifies a person whose account was not approved. They get it by mail: notifications are for who is approved. */
create or replace function private.notify_of_rejection()
  returns trigger
  language plpgsql
  security definer -- writes to the person's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.rejected');
  return null;
end;
$$;

comment on function private.notify_of_rejection is
  'Trigger function: notifies a person that the account was not approved.';

create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (new.rejection_reason is distinct from old.rejection_reason and new.rejection_reason is not null)
  execute function private.notify_of_rejection();
--! EndIncluded notifications/notify_of_rejection.sql
--! Included notifications/notify_of_waiting.sql
/*
 * Notifies the administrators that somebody waits for approval. However many register, an administrator has
 * one such notification to read: while it is unread it counts, and is no event and no mail again. Who
 * registers holds private.administrators_lock, so no two of them make one each.
 */
create or replace function private.notify_of_waiting()
  returns trigger
  language plpgsql
  security definer -- writes to the administrators' notifications on behalf of who registers
  set search_path = ''
as $$
declare
  v_count constant bigint := (select count(*) from private.waiting_people);
  v_administrator_id uuid;
begin
  -- Whom groups or an invitation approved wait for nothing.
  if not exists (select from private.waiting_people w where w.id = new.id) then
    return null;
  end if;

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

-- Who was rejected, and asks again.
drop trigger if exists notify_of_waiting_again on parking.profiles;
create constraint trigger notify_of_waiting_again
  after update on parking.profiles
  deferrable initially deferred
  for each row
  when (old.rejection_reason is not null and new.rejection_reason is null and not new.is_approved)
  execute function private.notify_of_waiting();
--! EndIncluded notifications/notify_of_waiting.sql
--! Included jobs/prune.sql
/*
 * Forgets what the building keeps no longer, at most so many rows of each table, so that nobody waits for
 * it. What happened to people and spots stays: it is little, and reports and erasures read it.
 */
create or replace function private.prune(most integer default 10000)
  returns integer
  language plpgsql
  volatile
  security definer -- the API role deletes none of it
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_jobs integer;
  v_notifications integer;
  v_reports integer;
  v_events integer;
  v_kept_after bigint;
begin
  perform private.require_service();

  -- First, as an erasure does before it changes events; and from here on it waits for no row.
  perform private.lock_events();
  perform private.drop_unsent_mails();

  delete from private.jobs j
   where j.id = any (array(
     select o.id
       from private.jobs o
      where o.ended_at < now() - make_interval(days => v_building.job_days)
      order by o.ended_at
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_jobs = row_count;

  delete from parking.notifications n
   where n.id = any (array(
     select o.id
       from parking.notifications o
      where o.created_at < now() - make_interval(days => v_building.notification_days)
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_notifications = row_count;

  delete from parking.spot_reports r
   where r.id = any (array(
     select o.id
       from parking.spot_reports o
      where o.created_at < now() - make_interval(days => v_building.notification_days)
      limit prune.most
        for update skip locked
   ));
  get diagnostics v_reports = row_count;

  perform set_config('parking.pruning', 'on', true); -- the exception of events_are_only_added
  with pruned as (
    delete from only private.events e
     where e.id = any (array(
       select o.id
         from only private.events o
        where o.occurred_at < now() - make_interval(days => v_building.event_days)
          and split_part(o.type, '.', 1) in ('availability', 'pattern', 'claim', 'report', 'notification')
          and not exists (
            select
              from private.jobs j
             where j.event_id = o.id
               and j.ended_at is null
          )
        order by o.occurred_at
        limit prune.most
     ))
    returning e.position
  )
  select count(*), max(p.position) into v_events, v_kept_after
    from pruned p;
  perform set_config('parking.pruning', 'off', true);

  update private.last_position l
     set kept_after = v_kept_after
   where l.kept_after < v_kept_after;

  return greatest(v_jobs, v_notifications, v_reports, v_events);
end;
$$;

comment on function private.prune is
  'Deletes old jobs, notifications, reports of cars and events, and returns how many of the table with the most: as many as asked for where there may be more.';
grant execute on function private.prune to parking_api;
--! EndIncluded jobs/prune.sql
--! Included wishes/enforce_few_open.sql
/* Somebody with a wish for every hour would be told of every window, and keep it from all others. */
create or replace function private.enforce_few_open()
  returns trigger
  language plpgsql
  security definer -- a lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.wisher_id for no key update;
  perform private.take_turn(tg_name, new.wisher_id);

  if (
    select count(*)
      from parking.wishes w
     where w.wisher_id = new.wisher_id
       and w.claim_id is null
       and w.start_time > clock_timestamp()
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_open is
  'Trigger function: refuses a wish to a resident who has as many open ones as the argument says.';
--! EndIncluded wishes/enforce_few_open.sql
--! Included spot_reports/table.sql
/* That a stranger's car stands on a spot, as its owner or its claimer reports it. */
create table if not exists parking.spot_reports (
  id uuid default uuidv7(),
  spot_id uuid not null,
  reporter_id uuid not null default private.caller_id(),
  holder_id uuid,
  vehicle text,
  note text,
  is_resolved boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint spot_reports_pkey primary key (id)
);

comment on table parking.spot_reports is
  E'@absent Report not found\nA stranger''s car on a spot, as its owner or its claimer reported it.';
comment on column parking.spot_reports.id is
  'Identifies the report.';
comment on column parking.spot_reports.spot_id is
  'The spot on which the car stands.';
comment on column parking.spot_reports.reporter_id is
  'Who reported it: the owner of the spot, or who had claimed it.';
comment on column parking.spot_reports.holder_id is
  'The other of these two, who was told; null: nobody but the administrators.';
comment on column parking.spot_reports.vehicle is
  'The plate of the car.';
comment on column parking.spot_reports.note is
  'What else there is to say.';
comment on column parking.spot_reports.is_resolved is
  'Whether an administrator has dealt with it.';
comment on column parking.spot_reports.created_at is
  'When it was reported.';
comment on column parking.spot_reports.updated_at is
  'When the row last changed.';

create index if not exists spot_reports_created_at_id_idx
  on parking.spot_reports (created_at desc, id);
create index if not exists spot_reports_reporter_id_created_at_idx
  on parking.spot_reports (reporter_id, created_at);
create index if not exists spot_reports_holder_id_idx
  on parking.spot_reports (holder_id);
create index if not exists spot_reports_spot_id_idx
  on parking.spot_reports (spot_id);

create or replace trigger touch
  before update on parking.spot_reports
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();

alter table parking.spot_reports enable row level security;

drop policy if exists select_as_party_or_administrator on parking.spot_reports;
create policy select_as_party_or_administrator on parking.spot_reports
  for select to parking_api
  using (
    reporter_id = (select private.caller_id())
    or holder_id = (select private.caller_id())
    or (select private.is_administrator())
  );

drop policy if exists insert_own on parking.spot_reports;
create policy insert_own on parking.spot_reports
  for insert to parking_api
  with check (reporter_id = (select private.caller_id()));

drop policy if exists update_as_administrator on parking.spot_reports;
create policy update_as_administrator on parking.spot_reports
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.spot_reports to parking_api;
-- No insert of reporter_id: it is the caller by default; holder_id is found out. No delete: what was told stays told.
grant insert (spot_id, vehicle, note) on parking.spot_reports to parking_api;
grant update (is_resolved) on parking.spot_reports to parking_api;
--! EndIncluded spot_reports/table.sql
--! Included spot_reports/create_spot_report.sql
create or replace function api.create_spot_report(
    spot_id uuid,
    vehicle text default null,
    note text default null
)
  returns parking.spot_reports
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_approved();

  insert into parking.spot_reports (spot_id, vehicle, note)
  select s.id, create_spot_report.vehicle, create_spot_report.note
    from parking.spots s
   where s.id = create_spot_report.spot_id
  returning * into v_report;

  if not found then
    perform private.refuse('spot_reports_of_a_spot', '23503');
  end if;

  return v_report;
end;
$$;

comment on function api.create_spot_report is
  'Report that a stranger''s car stands on your spot, or on one that you have claimed now: the other of you and the administrators are told';
grant execute on function api.create_spot_report to parking_api;
--! EndIncluded spot_reports/create_spot_report.sql
--! Included spot_reports/enforce_few_reports.sql
/* Each report is a message to all administrators. */
create or replace function private.enforce_few_reports()
  returns trigger
  language plpgsql
  security definer -- the API role may not lock profiles
  set search_path = ''
as $$
begin
  -- The erasure of the person waits, and the other way round.
  perform from parking.profiles p where p.id = new.reporter_id for no key update;
  perform private.take_turn(tg_name, new.reporter_id);

  if (
    select count(*)
      from parking.spot_reports r
     where r.reporter_id = new.reporter_id
       and r.created_at > clock_timestamp() - interval '1 day'
  ) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_reports is
  'Trigger function: refuses a report by who has made as many in 24 hours as the argument says.';
--! EndIncluded spot_reports/enforce_few_reports.sql
--! Included spot_reports/find_holder.sql
/* Who reports is the owner or the claimer of this moment; the other of the two may know whose car it is. */
create or replace function private.find_holder()
  returns trigger
  language plpgsql
  security definer -- an owner reads who claimed, and the row says it to the other only
  set search_path = ''
as $$
declare
  v_owner_id constant uuid := (select s.owner_id from parking.spots s where s.id = new.spot_id);
begin
  new.holder_id := case
    when v_owner_id <> new.reporter_id then v_owner_id
    else (
      select c.claimer_id
        from parking.claims c
       where c.spot_id = new.spot_id
         and c.start_time <= clock_timestamp()
         and c.end_time > clock_timestamp()
         and c.status = 'active'
       limit 1
    )
  end;
  return new;
end;
$$;

comment on function private.find_holder is
  'Trigger function: finds out whom a report concerns besides the reporter.';

create or replace trigger find_holder
  before insert on parking.spot_reports
  for each row
  execute function private.find_holder();
--! EndIncluded spot_reports/find_holder.sql
--! Included spot_reports/get_spot_report.sql
create or replace function api.get_spot_report(id uuid)
  returns setof parking.spot_reports
  language sql
  stable
  security invoker
  rows 1
as $$
  select r.*
    from parking.spot_reports r
   where r.id = get_spot_report.id
$$;

comment on function api.get_spot_report is
  'One report of a stranger''s car';
grant execute on function api.get_spot_report to parking_api;
--! EndIncluded spot_reports/get_spot_report.sql
--! Included spot_reports/list_spot_reports.sql
create or replace function api.list_spot_reports()
  returns setof parking.spot_reports
  language sql
  stable
  security invoker
as $$
  select r.*
    from parking.spot_reports r
$$;

comment on function api.list_spot_reports is
  'Strangers'' cars that you reported, or were told of; administrators: all, newest first';
grant execute on function api.list_spot_reports to parking_api;
--! EndIncluded spot_reports/list_spot_reports.sql
--! Included spot_reports/notify_of_report.sql
/* Notifies those who can do something about a stranger's car: who shares the spot, and the administrators. */
create or replace function private.notify_of_report()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the reporter
  set search_path = ''
as $$
declare
  v_spot parking.spots;
  v_claim parking.claims;
begin
  if private.caller_id() = new.reporter_id then -- not where the owner of the database writes
    perform private.require_approved(); -- still, after all the waiting
  end if;

  select s.* into v_spot
    from parking.spots s
   where s.id = new.spot_id;
  select c.* into v_claim
    from parking.claims c
   where c.spot_id = new.spot_id
     and c.claimer_id = new.holder_id
     and c.start_time <= clock_timestamp()
     and c.end_time > clock_timestamp()
     and c.status = 'active'
   limit 1;

  perform private.notify(
    r.id,
    'report.submitted',
    v_spot,
    claim_id => case when r.id = v_claim.claimer_id then v_claim.id end,
    more => jsonb_strip_nulls(jsonb_build_object('vehicle', new.vehicle))
  )
     from (
       select p.id
         from parking.profiles p
        where p.is_approved
          and (p.is_admin or p.id = new.holder_id)
        order by p.id
     ) r;
  return null;
end;
$$;

comment on function private.notify_of_report is
  'Trigger function: notifies the other of owner and claimer, and the administrators, that a stranger''s car was reported.';

create or replace trigger notify_of_report
  after insert on parking.spot_reports
  for each row
  execute function private.notify_of_report();
--! EndIncluded spot_reports/notify_of_report.sql
--! Included spot_reports/read_of_report.sql
/* What was dealt with needs nobody any more. */
create or replace function private.read_of_report()
  returns trigger
  language plpgsql
  security definer -- notifications of others, on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Written in one transaction, so made at one time. By recipients, as the index of unread ones has them.
  update parking.notifications n
     set is_read = true,
         resolved_at = now()
   where n.recipient_id in (
           select p.id from parking.profiles p where p.is_admin or p.id = new.holder_id
         )
     and n.created_at = new.created_at
     and n.kind = 'report.submitted'
     and n.spot_id = new.spot_id
     and not n.is_read;
  return null;
end;
$$;

comment on function private.read_of_report is
  'Trigger function: marks the notifications of a report as read, for all recipients, when it is dealt with.';

create or replace trigger read_of_report
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.read_of_report();
--! EndIncluded spot_reports/read_of_report.sql
--! Included spot_reports/resolve_spot_report.sql
create or replace function api.resolve_spot_report(id uuid, is_resolved boolean default null)
  returns parking.spot_reports
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_report parking.spot_reports;
begin
  perform private.require_administrator();

  if resolve_spot_report.is_resolved is not null then
    update parking.spot_reports r
       set is_resolved = resolve_spot_report.is_resolved
     where r.id = resolve_spot_report.id
    returning * into v_report;
  else
    select r.* into v_report
      from parking.spot_reports r
     where r.id = resolve_spot_report.id;
  end if;

  if not found then
    perform private.refuse_unchanged('spot_reports');
  end if;

  return v_report;
end;
$$;

comment on function api.resolve_spot_report is
  'Mark the report of a stranger''s car as dealt with, or take that back';
grant execute on function api.resolve_spot_report to parking_api;
--! EndIncluded spot_reports/resolve_spot_report.sql
--! Included spot_reports/rules/approved_account_required.sql
drop policy if exists approved_account_required on parking.spot_reports;
create policy approved_account_required on parking.spot_reports
  as restrictive to parking_api
  using ((select private.is_approved()));

comment on policy approved_account_required on parking.spot_reports is
  'Account not approved';
--! EndIncluded spot_reports/rules/approved_account_required.sql
--! Included spot_reports/rules/spot_reports_by_a_resident.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_by_a_resident,
  add constraint spot_reports_by_a_resident
    foreign key (reporter_id)
    references parking.profiles (id);

comment on constraint spot_reports_by_a_resident on parking.spot_reports is
  E'@status 403\nWho reports a car must be a resident';
--! EndIncluded spot_reports/rules/spot_reports_by_a_resident.sql
--! Included spot_reports/rules/spot_reports_by_who_may_park.sql
-- Restrictive, because PostgreSQL names only restrictive policies in its error, and the name gives the message.
drop policy if exists spot_reports_by_who_may_park on parking.spot_reports;
create policy spot_reports_by_who_may_park on parking.spot_reports
  as restrictive
  for insert to parking_api
  with check (
    exists (
      select from parking.spots s
       where s.id = spot_reports.spot_id
         and s.owner_id = (select private.caller_id())
    )
    or exists (
      select from parking.claims c
       where c.spot_id = spot_reports.spot_id
         and c.claimer_id = (select private.caller_id())
         and c.start_time <= (select clock_timestamp())
         and c.end_time > (select clock_timestamp())
         and c.status = 'active'
    )
  );

comment on policy spot_reports_by_who_may_park on parking.spot_reports is
  'You can only report a car on your own spot, or on one that you have claimed now';
--! EndIncluded spot_reports/rules/spot_reports_by_who_may_park.sql
--! Included spot_reports/rules/spot_reports_five_a_day_at_most.sql
create or replace trigger spot_reports_five_a_day_at_most
  before insert on parking.spot_reports
  for each row
  execute function private.enforce_few_reports('5');

comment on trigger spot_reports_five_a_day_at_most on parking.spot_reports is
  E'@status 409\nYou have reported five cars in 24 hours: ask an administrator';
--! EndIncluded spot_reports/rules/spot_reports_five_a_day_at_most.sql
--! Included spot_reports/rules/spot_reports_note_is_one_line.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_note_is_one_line,
  add constraint spot_reports_note_is_one_line
    check (private.is_one_line(note, 1, 300));

comment on constraint spot_reports_note_is_one_line on parking.spot_reports is
  E'@field note\nnote must be 1 to 300 characters on one line';
--! EndIncluded spot_reports/rules/spot_reports_note_is_one_line.sql
--! Included spot_reports/rules/spot_reports_of_a_spot.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_of_a_spot,
  add constraint spot_reports_of_a_spot
    foreign key (spot_id)
    references parking.spots (id)
    on delete cascade;

comment on constraint spot_reports_of_a_spot on parking.spot_reports is
  E'@status 404\nParking spot not found';
--! EndIncluded spot_reports/rules/spot_reports_of_a_spot.sql
--! Included spot_reports/rules/spot_reports_to_a_resident.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_to_a_resident,
  add constraint spot_reports_to_a_resident
    foreign key (holder_id)
    references parking.profiles (id);

comment on constraint spot_reports_to_a_resident on parking.spot_reports is
  E'@status 404\nUser profile not found';
--! EndIncluded spot_reports/rules/spot_reports_to_a_resident.sql
--! Included spot_reports/rules/spot_reports_vehicle_is_a_plate.sql
alter table parking.spot_reports
  drop constraint if exists spot_reports_vehicle_is_a_plate,
  add constraint spot_reports_vehicle_is_a_plate
    check (private.is_one_line(vehicle, 1, 16) and private.plate(vehicle) <> '');

comment on constraint spot_reports_vehicle_is_a_plate on parking.spot_reports is
  E'@field vehicle\nvehicle must be a plate of 1 to 16 characters on one line, not only hyphens';
--! EndIncluded spot_reports/rules/spot_reports_vehicle_is_a_plate.sql
--! Included webhooks/are_webhook_types.sql
/* Not those of patterns and notifications: administrators do not see what is other people's own. */
create or replace function private.are_webhook_types(types text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(types) > 0
    and array_ndims(types) = 1
    and cardinality(types) = (select count(distinct t.type) from unnest(types) t (type))
    and not exists (
      select
        from unnest(types) t (type)
       where private.is_event_type(t.type) is not true
          or split_part(t.type, '.', 1) not in ('profile', 'spot', 'availability', 'claim', 'report')
    );
end;
$$;

comment on function private.are_webhook_types is
  'Whether these are different types of events that go to webhooks, one at least.';
grant execute on function private.are_webhook_types to parking_api;
--! EndIncluded webhooks/are_webhook_types.sql
--! Included webhooks/enforce_few_webhooks.sql
/* Each event is sent to each of them. */
create or replace function private.enforce_few_webhooks()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
begin
  perform private.take_turn(tg_name);

  if (select count(*) from parking.webhooks) >= tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return new;
end;
$$;

comment on function private.enforce_few_webhooks is
  'Trigger function: refuses a webhook where there are as many as the argument says.';
--! EndIncluded webhooks/enforce_few_webhooks.sql
--! Included events/event_data.sql
/*
 * What the interface calls a Profile, Spot, Availability or Claim: the row without what others carry
 * down to it, without what is there only where it has a value, and without a stranger's plate. Of data
 * that is so already, the same.
 */
create or replace function private.event_data(type text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case split_part(event_data.type, '.', 1)
    when 'profile' then
      case when subject ->> 'rejection_reason' is null then array['rejection_reason'] else '{}' end
    when 'report' then array['vehicle', 'note']
    when 'availability' then array['owner_id', 'during', 'pattern_day']
    when 'pattern' then array['owner_id', 'time_zone', 'left_out', 'left_out_times']
    when 'claim' then array['spot_id', 'owner_id', 'held']
    when 'spot' then case when subject ->> 'notes' is null then array['notes'] else '{}' end
    else '{}'
  end - case
    -- private.piece_for finds by it where the piece went.
    when event_data.type = 'availability.joined' then '{}'
    else array['part_of']
  end - case
    when subject ->> 'pattern_id' is not null then '{}'
    when coalesce(subject ->> 'guest', subject ->> 'vehicle') is null
      then array['pattern_id', 'guest', 'vehicle']
    when subject ->> 'guest' is null then array['guest']
    when subject ->> 'vehicle' is null then array['vehicle']
    else '{}'
  end
) || coalesce(
  (
    select jsonb_object_agg(t.name, private.iso8601((subject ->> t.name)::timestamptz))
      from unnest(array['start_time', 'end_time', 'created_at', 'updated_at']) t (name)
     where subject ? t.name
  ),
  '{}'
);

comment on function private.event_data is
  'A row as the event log keeps it: as clients see it.';
--! EndIncluded events/event_data.sql
--! Included events/is_event_type.sql
/* A function, because each INSERT reads the expression of a check anew, and a list word by word: a fiftieth of a claim. */
create or replace function private.is_event_type(type text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return type in (
    'profile.registered', 'profile.updated', 'profile.approved', 'profile.rejected', 'profile.erased',
    'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
    'availability.created', 'availability.updated', 'availability.joined', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.collided', 'pattern.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'report.submitted', 'report.resolved',
    'notification.created'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
grant execute on function private.is_event_type to parking_api;
--! EndIncluded events/is_event_type.sql
--! Included events/views_of_event.sql
/*
 * Who may know of an event, and as what. This says for many people at once what the policies say for
 * one caller; test/rules/events-visibility.test.ts compares the two.
 */
create or replace function private.views_of_event(event private.events, suspended_owners uuid[])
  returns table (
    rank integer,
    type text,
    data jsonb,
    is_for_all boolean,
    is_for_administrators boolean,
    people uuid[]
  )
  language sql
  stable
  security invoker -- for private.read_events: no grant to the API role
  set search_path = ''
  rows 2
as $$
  select 1, event.type, event.data, true, true, '{}'::uuid[]
   where event.type like 'spot.%'

  union all
  select 1, event.type, event.data, false, true, array[event.subject_id]
   where event.type like 'profile.%'

  union all
  select 1, event.type, event.data, false, false,
         array[private.owner_of_spot((event.data ->> 'spot_id')::uuid)]
   where event.type like 'pattern.%'

  union all
  -- As the window is now: a claim of it is no event of the window.
  select 1, event.type, event.data,
         coalesce(a.is_claimed, (event.data ->> 'is_claimed')::boolean)
           or coalesce(a.owner_id, private.owner_of_spot((event.data ->> 'spot_id')::uuid))
                <> all (suspended_owners),
         true,
         '{}'::uuid[]
    from (select) one
    left join parking.availabilities a on a.id = event.subject_id
   where event.type like 'availability.%'

  union all
  select 1, event.type, event.data, false, true,
         array[
           (event.data ->> 'claimer_id')::uuid,
           private.owner_of_window((event.data ->> 'availability_id')::uuid)
         ]
   where event.type like 'claim.%'

  union all
  select 1, event.type, event.data, false, true,
         array[(event.data ->> 'reporter_id')::uuid, (event.data ->> 'holder_id')::uuid]
   where event.type like 'report.%'

  union all
  -- Others learn that the window was taken or is free.
  select 2, 'availability.updated', private.event_data('availability', to_jsonb(a)),
         a.is_claimed or a.owner_id <> all (suspended_owners),
         true,
         '{}'::uuid[]
    from parking.availabilities a
   where event.type in ('claim.submitted', 'claim.cancelled', 'claim.deleted')
     and a.id = (event.data ->> 'availability_id')::uuid

  union all
  select 1, event.type,
         private.event_data('notification', to_jsonb(n))
           || jsonb_build_object('resolved_at', private.iso8601(n.resolved_at)),
         false, false, array[n.recipient_id]
    from parking.notifications n
   where event.type = 'notification.created'
     and n.id = event.subject_id
$$;

comment on function private.views_of_event is
  'What an event looks like, and to whom: approved residents all, the administrators among them, or these people. Each gets the first that is for them.';
--! EndIncluded events/views_of_event.sql
--! Included events/events_of_profiles.sql
/* Profiles are registered, approved, rejected and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_rejection
  after update on parking.profiles
  for each row
  when (new.rejection_reason is distinct from old.rejection_reason and new.rejection_reason is not null)
  execute function private.record_event('profile.rejected');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (new.rejection_reason is null or new.rejection_reason = old.rejection_reason)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.vehicle, new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.rejection_reason
    )
  )
  execute function private.record_event('profile.updated');
--! EndIncluded events/events_of_profiles.sql
--! Included events/events_of_reports.sql
/* Reports of strangers' cars are submitted and resolved. */
create or replace trigger record_submission
  after insert on parking.spot_reports
  for each row
  execute function private.record_event('report.submitted');

create or replace trigger record_resolution
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.record_event('report.resolved');
--! EndIncluded events/events_of_reports.sql
--! Included events/events_of_spots.sql
/* Spots are registered, verified, updated and deleted. */
create or replace trigger record_registration
  after insert on parking.spots
  for each row
  execute function private.record_event('spot.registered');

create or replace trigger record_verification
  after update on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.record_event('spot.verified');

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    not (new.is_verified and not old.is_verified)
    and (new.spot_number, new.building_section, new.is_verified, new.notes)
      is distinct from (old.spot_number, old.building_section, old.is_verified, old.notes)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');
--! EndIncluded events/events_of_spots.sql
--! Included idempotency_keys/enforce_few_per_person.sql
/* Somebody who sends keys without end would fill the disk of everybody. */
create or replace function private.enforce_few_per_person()
  returns trigger
  language plpgsql
  security definer -- the API role may not read the answers that it counts
  set search_path = ''
as $$
declare
  v_most constant integer := tg_argv[0];
begin
  perform private.take_turn(tg_name, new.person_id);

  if (
    select count(*)
      from (
        select from private.idempotency_keys k
         where k.person_id = new.person_id
           and k.expires_at > now()
         limit v_most + 1
      ) kept
  ) > v_most then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_per_person is
  'Trigger function: refuses an answer to a person for whom as many are kept as the argument says.';
--! EndIncluded idempotency_keys/enforce_few_per_person.sql
--! Included mails/recipients.sql
/*
 * Who can get mail. An address that the identity provider did not confirm may be another's, who would
 * read what is not theirs; and who is not approved is no part of the building, and reads only that they
 * were rejected.
 */
create or replace view private.mail_recipients
  with (security_invoker)
as
  select p.id,
         u.email,
         p.is_admin,
         case
         when p.is_approved then coalesce(f.mail, b.mail)
         else array(select k.kind from unnest(coalesce(f.mail, b.mail)) k (kind) where k.kind = 'profile.rejected')
       end as mail,
         coalesce(f.language, b.language) as language,
         coalesce(f.remind_minutes, b.remind_minutes) as remind_minutes
    from parking.profiles p
    join private.users u on u.id = p.id
   cross join parking.building b
    left join parking.preferences f on f.person_id = p.id
   where (p.is_approved or p.rejection_reason is not null)
     and u.email_confirmed_at is not null
     and u.erased_at is null;

comment on view private.mail_recipients is
  'People with a confirmed address who are approved, or rejected, and what they want by mail.';
comment on column private.mail_recipients.id is
  'The person.';
comment on column private.mail_recipients.email is
  'The address.';
comment on column private.mail_recipients.is_admin is
  'Whether the person is an administrator.';
comment on column private.mail_recipients.mail is
  'The kinds of mail that the person gets.';
comment on column private.mail_recipients.language is
  'The language of the mails.';
comment on column private.mail_recipients.remind_minutes is
  'How long before a claim starts, and before it ends, the person is reminded.';
--! EndIncluded mails/recipients.sql
--! Included mails/waiting_people.sql
/* Who was approved before and is not any more was suspended, and waits for nothing; nor does who was rejected. */
create or replace view private.waiting_people
  with (security_invoker)
as
  select p.id, p.full_name, p.apartment_number, p.created_at
    from parking.profiles p
    join private.users u on u.id = p.id
   where not p.is_approved
     and p.rejection_reason is null
     and u.erased_at is null
     and not p.is_suspended;

comment on view private.waiting_people is
  'Those who registered and wait for approval.';
comment on column private.waiting_people.id is
  'The person.';
comment on column private.waiting_people.full_name is
  'The name.';
comment on column private.waiting_people.apartment_number is
  'The apartment.';
comment on column private.waiting_people.created_at is
  'Since when the person has waited.';
--! EndIncluded mails/waiting_people.sql
--! Included export/subjects.sql
/* The log names only what an event is about. What is deleted is found by its deletion. */
create or replace view private.subjects
  with (security_invoker)
as
  select p.id as person_id, p.id as subject_id
    from parking.profiles p
  union
  select s.owner_id, s.id
    from parking.spots s
  union
  select a.owner_id, a.id
    from parking.availabilities a
  union
  select c.claimer_id, c.id
    from parking.claims c
  union
  select c.owner_id, c.id
    from parking.claims c
   where (select private.is_approved()) -- as the policies show claims of others
  union
  select r.reporter_id, r.id
    from parking.spot_reports r
  union
  select e.actor_id, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'availability.deleted', 'claim.deleted')
     and e.reason is null -- an administrator gives one
  union
  select coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'claim.deleted');

comment on view private.subjects is
  'What belongs to each person, or belonged: profile, spots, windows, claims made and received, and reports.';
comment on column private.subjects.person_id is
  'The person.';
comment on column private.subjects.subject_id is
  'What events are about.';
--! EndIncluded export/subjects.sql
--! Included export/exports.sql
/*
 * All that is held about people: each table that names a person has a part here. The person finds
 * the ids of a part, and an id finds its record again. What a person has little of stands under the id
 * of the person. What is made of a row stands in "record" alone, so that looking for ids spares it.
 */
create or replace view private.exports
  with (security_invoker)
as
  select 'profile' as member, p.id as person_id, p.id, to_jsonb(p) as record
    from parking.profiles p
  union all
  select 'user', u.id, u.id, to_jsonb(u)
    from private.users u
  union all
  select 'spots', s.owner_id, s.id, to_jsonb(s)
    from parking.spots s
  union all
  select 'access_notes', a.owner_id, a.spot_id, to_jsonb(a)
    from parking.spot_access a
  union all
  select 'availabilities', a.owner_id, a.id, to_jsonb(a) - 'during'
    from parking.availabilities a
  union all
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - 'held' || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - 'held' || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
   where (select private.is_approved()) -- as the policies show claims of others
  union all
  select 'patterns', p.owner_id, p.id, to_jsonb(p)
    from parking.patterns p
  union all
  select 'changed_windows', n.person_id, n.person_id, to_jsonb(n)
    from private.changed_windows n
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'wishes', w.wisher_id, w.id, to_jsonb(w)
    from parking.wishes w
  union all
  select 'reports_made', r.reporter_id, r.id, to_jsonb(r) - 'holder_id'
    from parking.spot_reports r
  union all
  select 'reports_received', r.holder_id, r.id, to_jsonb(r) - 'reporter_id'
    from parking.spot_reports r
  union all
  select 'invitations', i.profile_id, i.id, to_jsonb(i) - 'inviter_id'
    from parking.invitations i
  union all
  select 'calendar_feed', f.person_id, f.person_id, to_jsonb(f) - 'secret_hash'
    from parking.calendar_feeds f
  union all
  select 'preferences', p.person_id, p.person_id, to_jsonb(p)
    from parking.preferences p
  union all
  select 'notifications', n.recipient_id, n.id, to_jsonb(n)
    from parking.notifications n
  union all
  select 'history', s.person_id, s.subject_id, jsonb_build_object(
           'subject_id', s.subject_id,
           'events', (
             select jsonb_agg(
                      to_jsonb(e) - '{id, subject_id, actor_id, position}'::text[]
                        || jsonb_build_object(
                          'data', private.event_data(e.type, e.data),
                          'by_you', e.actor_id is not distinct from s.person_id
                        )
                      order by e.id
                    )
               from private.events e
              where e.subject_id = s.subject_id
           )
         )
    from private.subjects s
  union all
  -- Of what others own, only that it was done.
  select 'acts', e.actor_id, e.id, to_jsonb(e) - '{id, actor_id, data, position}'::text[]
    from private.events e
   where e.reason is not null
      or e.type in (
        'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
        'spot.deleted', 'availability.deleted', 'claim.deleted'
      )
  union all
  select 'answers', k.person_id, k.person_id, to_jsonb(k) - 'fingerprint'
    from private.idempotency_keys k
  union all
  select 'counts', n.person_id, n.person_id, to_jsonb(n) - 'id'
    from private.person_counts n;

comment on view private.exports is
  'What GET /profile/export answers: the records of each person, under the names of its members.';
comment on column private.exports.member is
  'The member of the answer.';
comment on column private.exports.person_id is
  'Whom the record is about.';
comment on column private.exports.id is
  'Finds the record again; the id of the person where there are few such records.';
comment on column private.exports.record is
  'What is held.';
--! EndIncluded export/exports.sql
