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
  'The other of these two, who was told; null: nobody but the administrators and concierges.';
comment on column parking.spot_reports.vehicle is
  'The plate of the car.';
comment on column parking.spot_reports.note is
  'What else there is to say.';
comment on column parking.spot_reports.is_resolved is
  'Whether an administrator or a concierge has dealt with it.';
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

drop policy if exists select_as_party_or_staff on parking.spot_reports;
create policy select_as_party_or_staff on parking.spot_reports
  for select to parking_api
  using (
    reporter_id = (select private.caller_id())
    or holder_id = (select private.caller_id())
    or (select private.is_staff())
  );

drop policy if exists insert_own on parking.spot_reports;
create policy insert_own on parking.spot_reports
  for insert to parking_api
  with check (reporter_id = (select private.caller_id()));

drop policy if exists update_as_staff on parking.spot_reports;
create policy update_as_staff on parking.spot_reports
  for update to parking_api
  using ((select private.is_staff()));

grant select on parking.spot_reports to parking_api;
-- No insert of reporter_id: it is the caller by default; holder_id is found out. No delete: what was told stays told.
grant insert (spot_id, vehicle, note) on parking.spot_reports to parking_api;
grant update (is_resolved) on parking.spot_reports to parking_api;
