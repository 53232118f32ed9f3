/*
 * Whose turn it is follows from the wishes and the clock: of those to whom the time is offered, who
 * asked first and can still take it. Who was suspended, withdrew or has another claim is passed over.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
as $$
declare
  v_holder_id uuid;
  v_until timestamptz;
begin
  -- Nearly nothing while nobody has ever waited: the table has no page then. A longer condition of the
  -- trigger would cost more, because each statement reads it anew.
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then
    return null;
  end if;

  select w.wisher_id, w.offered_until
    into v_holder_id, v_until
    from parking.wishes w
    join parking.notifications n on n.id = w.id and n.spot_id = new.spot_id
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.availabilities a on a.id = new.availability_id
   cross join parking.building b
   where w.claim_id is null
     -- A claim that is moved has its window already, but not another that it makes its own.
     and (tg_op = 'INSERT' or w.availability_id <> new.availability_id)
     and w.offered_until > clock_timestamp()
     -- What the claim takes from others: the whole window, unless the rest stays on offer.
     and w.start_time < case when b.rest_stays_on_offer then new.end_time else a.end_time end
     and w.end_time > case when b.rest_stays_on_offer then new.start_time else a.start_time end
     and b.offer_minutes is not null
     -- They can still take it: a free window has all of it, or had, with what the claim joined by now.
     and exists (
       select
         from parking.availabilities f
        where f.spot_id = new.spot_id
          and f.start_time < w.end_time
          and f.end_time > w.start_time
          and (not f.is_claimed or f.id = new.availability_id)
        group by coalesce(f.part_of, f.id)
       having range_agg(f.during) @> tstzrange(w.start_time, w.end_time)
     )
   order by w.offered_until, w.id
   limit 1;

  if v_holder_id <> new.claimer_id then
    raise exception using
      errcode = '23514',
      message = format('refused by rule "%s"', tg_name),
      constraint = tg_name,
      hint = private.iso8601(v_until); -- {until} in the message of the rule
  end if;
  return null;
end;
$$;

comment on function private.enforce_offers is
  'Trigger function: refuses a claim of a time that is offered to another at the moment.';
