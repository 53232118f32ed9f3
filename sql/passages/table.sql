/* Only as long as the building says, by default not at all: it says when people come and go. */
create table if not exists parking.passages (
  id uuid default uuidv7(),
  vehicle text not null,
  direction text not null,
  passed_at timestamptz(3) not null,
  constraint passages_pkey primary key (id),
  constraint passages_vehicle_passed_at_direction_key unique (vehicle, passed_at, direction)
);

comment on table parking.passages is
  E'@absent Passage not found\nThat a vehicle passed the gate.';
comment on column parking.passages.id is
  'Identifies the passage.';
comment on column parking.passages.vehicle is
  'The plate: its letters and digits alone.';
comment on column parking.passages.direction is
  'in or out.';
comment on column parking.passages.passed_at is
  'When it passed.';

create index if not exists passages_passed_at_idx
  on parking.passages (passed_at);

-- Only administrators see passages: administrator_required.
alter table parking.passages enable row level security;

drop policy if exists select_as_administrator on parking.passages;
create policy select_as_administrator on parking.passages
  for select to parking_api
  using (true);

-- No insert: api.create_passage writes them, for keys. No update and no delete: they end with their days.
grant select on parking.passages to parking_api;
