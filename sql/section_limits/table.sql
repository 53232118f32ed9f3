/* Limits that hold in a part of the building. A section is what the spots call it; most have no row here. */
create table if not exists parking.section_limits (
  building_section text,
  longest_window_days integer,
  horizon_days integer,
  shortest_claim_minutes integer,
  longest_claim_minutes integer,
  claim_notice_minutes integer,
  cancellation_cutoff_minutes integer,
  most_active_claims integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint section_limits_pkey primary key (building_section)
);

comment on table parking.section_limits is
  E'@absent Section not found\nThe limits of a section that are not those of the building.';
comment on column parking.section_limits.building_section is
  'The section, as its spots name it.';
comment on column parking.section_limits.longest_window_days is
  'How long a window may last, in calendar days. Null: the limit of the building.';
comment on column parking.section_limits.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: the limit of the building.';
comment on column parking.section_limits.shortest_claim_minutes is
  'How long a claim lasts at least. Null: the limit of the building.';
comment on column parking.section_limits.longest_claim_minutes is
  'How long a claim lasts at most. Null: the limit of the building.';
comment on column parking.section_limits.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: the limit of the building.';
comment on column parking.section_limits.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: the limit of the building.';
comment on column parking.section_limits.most_active_claims is
  'How many claims in this section that have not ended a resident may have, completed ones included; those of the building do not count then. Null: counted with the building''s.';
comment on column parking.section_limits.created_at is
  'When the section got limits of its own.';
comment on column parking.section_limits.updated_at is
  'When the row last changed.';

alter table parking.section_limits enable row level security;

drop policy if exists select_all on parking.section_limits;
create policy select_all on parking.section_limits
  for select to parking_api
  using (true);

drop policy if exists insert_as_administrator on parking.section_limits;
create policy insert_as_administrator on parking.section_limits
  for insert to parking_api
  with check ((select private.is_administrator()));

drop policy if exists update_as_administrator on parking.section_limits;
create policy update_as_administrator on parking.section_limits
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.section_limits to parking_api;
grant insert (building_section) on parking.section_limits to parking_api;
grant update (
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.section_limits to parking_api;
-- No delete: a row of nulls limits nothing.

create or replace trigger touch
  before update on parking.section_limits
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
