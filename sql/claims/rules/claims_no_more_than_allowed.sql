/* A section with its own most_active_claims counts by itself; all others count together. */
create or replace function private.enforce_most_claims()
  returns trigger
  language plpgsql
  security definer -- the API role may take no turn
  set search_path = ''
as $$
declare
  v_most constant integer := (private.limits_of(new.spot_id)).most_active_claims;
begin
  if v_most is null then
    return null; -- here, because a trigger's condition that is long costs each claim more
  end if;
  if new.end_time <= clock_timestamp() or (tg_op = 'UPDATE' and old.end_time > clock_timestamp()) then
    return null; -- over, or counted already
  end if;

  perform private.take_turn(tg_name, new.claimer_id);

  -- First all of them, by an index alone.
  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > v_most
    and (
      with counted_alone as materialized (
        select s.id, s.building_section
          from parking.limits l
          join parking.spots s on s.building_section = l.building_section
         where l.most_active_claims is not null
      )
      select count(*)
        from parking.claims c
        left join counted_alone a on a.id = c.spot_id
       where c.claimer_id = new.claimer_id
         and c.status <> 'cancelled'
         and c.end_time > clock_timestamp()
         and a.building_section is not distinct from (
           select o.building_section from counted_alone o where o.id = new.spot_id
         )
    ) > v_most
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\n@de Sie haben so viele Reservierungen, wie eine Person haben darf. Erst muss eine enden oder storniert werden.\nYou have as many claims that have not ended as the building allows';
