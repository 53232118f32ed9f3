/*
 * Not those who may claim nothing of their time any more, for the notice that its section asks for; nor, where
 * it would be their turn, those who could not claim its beginning: they would only keep it from others. How many
 * claims they have, and how far ahead they may claim, is not asked: that changes by the hour.
 */
create or replace function private.waiting_for(offered parking.availabilities)
  returns setof parking.wishes
  language plpgsql
  stable
  security invoker -- for functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_has_turns constant boolean := (private.building()).offer_minutes is not null;
begin
  if offered.end_time - offered.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;
  return query
    select w.*
      from private.waiting_wishes x
      join parking.wishes w on w.id = x.id
     where x.offered_id = offered.id
       and w.end_time > clock_timestamp() + v_notice -- as private.enforce_claim_limit has it
       and (not v_has_turns or w.start_time > clock_timestamp() + v_notice);
end;
$$;

comment on function private.waiting_for is
  'The open wishes that fit a free window and are to be told of it.';
