/* What a claim leaves of a free window was on offer before: who has an offer of it keeps that offer and its turn. */
create or replace function private.keep_on_offer(
    id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
begin
  perform set_config('parking.recutting', 'on', true);
  perform private.offer_rest(keep_on_offer.id, keep_on_offer.start_time, keep_on_offer.end_time);
  perform set_config('parking.recutting', 'off', true);

  perform private.move_offers(w.id, p.id)
     from parking.availabilities w
     join parking.availabilities p on p.part_of = w.part_of and p.during -|- w.during
    where w.id = keep_on_offer.id
      and not p.is_claimed;
end;
$$;

comment on function private.keep_on_offer is
  'Cuts a window that was free to the times of its claim, as private.offer_rest does, and keeps the offers of the rest.';
