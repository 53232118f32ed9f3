-- After the insert: a second star for a spot, which is none, counts nothing. The page reads them in one request.
create or replace trigger favorite_spots_100_at_most
  after insert on parking.favorite_spots
  for each row
  execute function private.enforce_few('100', 'person_id');

comment on trigger favorite_spots_100_at_most on parking.favorite_spots is
  E'@status 409\n@de Sie haben hundert Lieblingsplätze. Nehmen Sie erst einen davon weg.\nYou have 100 favorite spots: remove one of them first';
