create table if not exists parking.limits (
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
  constraint limits_building_section_key unique nulls not distinct (building_section)
);

comment on table parking.limits is
  E'@absent Section not found\nThe limits of the building, and those of a section that differ from them.';
comment on column parking.limits.building_section is
  'The section, as its spots name it. Null: the building.';
comment on column parking.limits.longest_window_days is
  'How long a window may last, in calendar days. Null: no limit; in a section, that of the building.';
comment on column parking.limits.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: no limit; in a section, that of the building.';
comment on column parking.limits.shortest_claim_minutes is
  'How long a claim lasts at least. Null: no limit; in a section, that of the building.';
comment on column parking.limits.longest_claim_minutes is
  'How long a claim lasts at most. Null: no limit; in a section, that of the building.';
comment on column parking.limits.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: no limit; in a section, that of the building.';
comment on column parking.limits.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: no limit; in a section, that of the building.';
comment on column parking.limits.most_active_claims is
  'How many claims that have not ended a resident may have, completed ones included; those in a section with a number of its own count by themselves. Null: no limit; in a section, counted with the building''s.';
comment on column parking.limits.created_at is
  'When it got limits.';
comment on column parking.limits.updated_at is
  'When the row last changed.';

alter table parking.limits enable row level security;
alter table parking.limits replica identity full;

drop policy if exists select_all on parking.limits;
create policy select_all on parking.limits
  for select to parking_api
  using (true);

drop policy if exists insert_as_administrator on parking.limits;
create policy insert_as_administrator on parking.limits
  for insert to parking_api
  with check ((select private.is_administrator()));

drop policy if exists update_as_administrator on parking.limits;
create policy update_as_administrator on parking.limits
  for update to parking_api
  using ((select private.is_administrator()));

grant select on parking.limits to parking_api;
grant insert (building_section) on parking.limits to parking_api;
grant update (
    longest_window_days, horizon_days,
    shortest_claim_minutes, longest_claim_minutes, claim_notice_minutes,
    cancellation_cutoff_minutes, most_active_claims
  )
  on parking.limits to parking_api;
-- No delete: a row of nulls limits nothing.

insert into parking.limits
select
 where not exists (select from parking.limits l where l.building_section is null);

create or replace trigger touch
  before update on parking.limits
  for each row
  when (old.* is distinct from new.*)
  execute function private.touch();
