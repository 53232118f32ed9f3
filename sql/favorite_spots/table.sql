create table if not exists parking.favorite_spots (
  id uuid default uuidv7(),
  person_id uuid not null default private.caller_id(),
  spot_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint favorite_spots_pkey primary key (id),
  constraint favorite_spots_person_id_spot_id_key unique (person_id, spot_id)
);

comment on table parking.favorite_spots is
  E'@absent Favorite spot not found\nA spot to which a resident has given a star. Only they see it.';
comment on column parking.favorite_spots.id is
  'Identifies the star.';
comment on column parking.favorite_spots.person_id is
  'Whose star it is.';
comment on column parking.favorite_spots.spot_id is
  'The spot.';
comment on column parking.favorite_spots.created_at is
  'When the resident gave the star.';

create index if not exists favorite_spots_person_id_created_at_idx
  on parking.favorite_spots (person_id, created_at desc, id);
create index if not exists favorite_spots_spot_id_idx
  on parking.favorite_spots (spot_id);

-- Own stars only: neither the owner of a spot nor administrators see who likes it.
alter table parking.favorite_spots enable row level security;

drop policy if exists own on parking.favorite_spots;
create policy own on parking.favorite_spots
  to parking_api
  using (person_id = (select private.caller_id()));

grant select, delete on parking.favorite_spots to parking_api;
-- No insert of person_id: it is the caller by default. No update: a star is there or not.
grant insert (spot_id) on parking.favorite_spots to parking_api;
