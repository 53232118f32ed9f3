create table if not exists parking.exceptions (
  id uuid default uuidv7(),
  owner_id uuid not null default private.caller_id(),
  spot_id uuid,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  kind text not null,
  withdrawn tstzmultirange not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint exceptions_pkey primary key (id)
);

comment on table parking.exceptions is
  E'@absent Exception not found\nA time at which an owner needs spots (keep), or is away (share).';
comment on column parking.exceptions.id is
  'Identifies the exception.';
comment on column parking.exceptions.owner_id is
  'The owner of the spots.';
comment on column parking.exceptions.spot_id is
  'The spot that it is about. Null: all spots of the owner.';
comment on column parking.exceptions.start_time is
  'The first moment of the exception. What is past by then stays as it was.';
comment on column parking.exceptions.end_time is
  'The first moment after the exception.';
comment on column parking.exceptions.kind is
  'keep: the owner needs the spots, so nothing of them is on offer but what is claimed already. share: the owner is away, so all of the time is on offer.';
comment on column parking.exceptions.withdrawn is
  'For the kind share: times that were withdrawn or moved by hand, and are not published again.';
comment on column parking.exceptions.created_at is
  'When the exception was made.';
comment on column parking.exceptions.updated_at is
  'When the row last changed.';

create index if not exists exceptions_owner_id_start_time_idx
  on parking.exceptions (owner_id, start_time, id);
create index if not exists exceptions_spot_id_idx
  on parking.exceptions (spot_id);

alter table parking.exceptions enable row level security;

drop policy if exists own on parking.exceptions;
create policy own on parking.exceptions
  to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists insert_any on parking.exceptions;
create policy insert_any on parking.exceptions
  for insert to parking_api
  with check (true);

grant select, delete on parking.exceptions to parking_api;
-- No update: another time is another exception.
grant insert (spot_id, owner_id, start_time, end_time, kind) on parking.exceptions to parking_api;
