/* Notifies those who can do something about a stranger's car: who shares the spot, and the administrators. */
create or replace function private.notify_of_report()
  returns trigger
  language plpgsql
  security definer -- writes to the notifications of others on behalf of the reporter
  set search_path = ''
as $$
declare
  v_spot parking.spots;
  v_claim parking.claims;
begin
  select s.* into v_spot
    from parking.spots s
   where s.id = new.spot_id;
  select c.* into v_claim
    from parking.claims c
   where c.spot_id = new.spot_id
     and c.claimer_id = new.holder_id
     and c.start_time <= clock_timestamp()
     and c.end_time > clock_timestamp()
     and c.status = 'active'
   limit 1;

  perform private.notify(
    r.id,
    'report.submitted',
    v_spot,
    claim_id => case when r.id = v_claim.claimer_id then v_claim.id end,
    more => jsonb_strip_nulls(jsonb_build_object('vehicle', new.vehicle))
  )
     from (
       select p.id
         from parking.profiles p
        where p.is_approved
          and (p.is_admin or p.id = new.holder_id)
        order by p.id
     ) r;
  return null;
end;
$$;

comment on function private.notify_of_report is
  'Trigger function: notifies the other of owner and claimer, and the administrators, that a stranger''s car was reported.';

create or replace trigger notify_of_report
  after insert on parking.spot_reports
  for each row
  execute function private.notify_of_report();
