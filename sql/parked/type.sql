/* What somebody at the gate needs to know of a spot. A type, because the filters have names of its members. */
do $$
begin
  create type private.parked as (
    spot_id uuid,
    spot_number text,
    building_section text,
    role text,
    claim_id uuid,
    person_id uuid,
    full_name text,
    apartment_number text,
    guest text,
    vehicle text,
    until timestamptz
  );
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on type private.parked is
  'Who may stand on a spot, with which vehicle, and until when.';
