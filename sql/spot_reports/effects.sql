/* The reporter is the owner or the claimer of this moment. The other of the two may know whose car it is. */
create or replace function private.find_holder()
  returns trigger
  language plpgsql
  security definer -- an owner reads who claimed, and the row says it to the other only
  set search_path = ''
as $$
declare
  v_owner_id constant uuid := (select s.owner_id from parking.spots s where s.id = new.spot_id);
begin
  new.holder_id := case
    when v_owner_id <> new.reporter_id then v_owner_id
    else (
      select c.claimer_id
        from parking.claims c
       where c.spot_id = new.spot_id
         and c.start_time <= clock_timestamp()
         and c.end_time > clock_timestamp()
         and c.status = 'active'
       limit 1
    )
  end;
  return new;
end;
$$;

create or replace trigger find_holder
  before insert on parking.spot_reports
  for each row
  execute function private.find_holder();

/* Notifies those who can do something about a stranger's car: who shares the spot, and the staff. */
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
          and (p.is_admin or p.is_concierge or p.id = new.holder_id)
        order by p.id
     ) r;
  return null;
end;
$$;

create or replace trigger notify_of_report
  after insert on parking.spot_reports
  for each row
  execute function private.notify_of_report();

/* A report that was dealt with needs nobody any more. */
create or replace function private.read_of_report()
  returns trigger
  language plpgsql
  security definer -- notifications of others, on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Written in one transaction, so made at one time. By recipients, as the index of unread ones has them.
  update parking.notifications n
     set is_read = true,
         resolved_at = now()
   where n.recipient_id in (
           select p.id
             from parking.profiles p
            where p.is_admin or p.is_concierge or p.id = new.holder_id
         )
     and n.created_at = new.created_at
     and n.kind = 'report.submitted'
     and n.spot_id = new.spot_id
     and not n.is_read;
  return null;
end;
$$;

create or replace trigger read_of_report
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.read_of_report();
