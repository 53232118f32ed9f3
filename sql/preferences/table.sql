create table if not exists parking.preferences (
  person_id uuid default private.caller_id(),
  mail text[],
  language text,
  remind_minutes integer,
  constraint preferences_pkey primary key (person_id)
);

alter table parking.preferences
  add column if not exists push text[];

comment on table parking.preferences is
  E'@absent User profile not found\nWhat a resident wants by mail and at once on their devices, in which language, and when. Null: as the building has it.';
comment on column parking.preferences.person_id is
  'Whose preferences they are.';
comment on column parking.preferences.mail is
  'The kinds of mail that the resident gets; none: no mail at all. Null: those of the building.';
comment on column parking.preferences.push is
  'The kinds of messages that the resident gets at once, on the devices that they chose. Null: the kinds of mail of the building.';
comment on column parking.preferences.language is
  'The language of mails and messages. Null: that of the building.';
comment on column parking.preferences.remind_minutes is
  'How long before a claim starts, and before it ends, the resident is reminded. Null: as the building says.';

/* People see and change their own preferences, also before they are approved: the mail about it is one. */
alter table parking.preferences enable row level security;

drop policy if exists own on parking.preferences;
create policy own on parking.preferences
  to parking_api
  using (person_id = (select private.caller_id()));

grant select on parking.preferences to parking_api;
-- No insert of person_id: it is the caller by default. No delete: null is as good.
grant insert (mail, push, language, remind_minutes) on parking.preferences to parking_api;
grant update (mail, push, language, remind_minutes) on parking.preferences to parking_api;
