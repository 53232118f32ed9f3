/* Windows are cut and joined while people look at them, and what they ask for may be in another piece. */
create or replace function private.piece_for(
    availability_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns uuid
  language sql
  stable
  security definer -- reads past the policies; a claim of the piece must pass all rules
  set search_path = ''
return coalesce(
  (
    select p.id
      from parking.availabilities p
     where p.part_of = any (array(
             select a.part_of
               from parking.availabilities a
              where a.id = piece_for.availability_id
             union all
             select (e.data ->> 'part_of')::uuid
               from private.events e
              where e.subject_id = piece_for.availability_id
                and e.type = 'availability.joined'
           ))
       and not p.is_claimed
       and p.start_time <= piece_for.start_time
       and p.end_time >= piece_for.end_time
       and piece_for.start_time < piece_for.end_time -- else there may be several
       and (select private.is_approved())
  ),
  piece_for.availability_id
);

comment on function private.piece_for is
  'The free piece with all of this time, of the same origin as the window with this id, which may be gone; the id itself where there is none.';
grant execute on function private.piece_for to parking_api;
