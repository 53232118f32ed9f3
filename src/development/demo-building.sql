/*
 * A building that shows every state. demo-building.ts runs this as a superuser, in one transaction.
 * demo.people has the people, and demo.now the present of the building. demo-past.sql follows.
 */
create temporary view person as
select (p.value ->> 'id')::uuid as id,
       p.value ->> 'email' as email,
       p.value ->> 'fullName' as full_name,
       p.value ->> 'apartmentNumber' as apartment_number,
       p.value ->> 'phoneNumber' as phone_number,
       (p.value ->> 'sharesPhoneNumber')::boolean as shares_phone_number,
       p.value ->> 'account' as account
  from jsonb_array_elements(current_setting('demo.people')::jsonb) p;

/* The spots of each owner. A number begins with the letter of its section. */
create temporary view holding as
select p.id as owner_id, h.spot_numbers
  from (
    values (1, 'maria', array['A-101', 'A-102', 'C-301']),
           (2, 'lena', array['B-201', 'A-103', 'C-302']),
           (3, 'jonas', array['A-104', 'B-202', 'B-203']),
           (4, 'amara', array['A-105', 'B-204', 'C-303']),
           (5, 'mei', array['A-106', 'A-107', 'C-304']),
           (6, 'pavel', array['B-205', 'B-206', 'C-305']),
           (7, 'sofia', array['A-108', 'B-207', 'C-306']),
           (8, 'tariq', array['A-109', 'B-208', 'C-307']),
           (9, 'ines', array['A-110', 'B-209', 'C-308']),
           (10, 'greta', array['B-210', 'C-309', 'C-310'])
  ) as h (number, name, spot_numbers)
  join pg_temp.person p on p.email = h.name || '@demo.example'
 order by h.number;

/* The spots with a pattern, which makes their windows of the next weeks. */
create temporary view weekly as
select *
  from (
    values ('A-109', array['MO', 'TU', 'WE', 'TH', 'FR'], '18:00', '08:00'),
           ('A-110', array['TU', 'FR'], '06:00', '22:00')
  ) as w (spot_number, weekdays, starts_at, ends_at);

/* What owners say about their spots. */
create temporary view spot_notes as
select *
  from (
    values ('A-101', 'Height 1.90 m', 'Code of the gate: 2580'),
           ('A-104', 'With a charger, type 2', 'The key of the charger is with the caretaker'),
           ('B-203', 'Narrow: 2.20 m wide', null),
           ('C-303', 'In the shade of the lime tree', null)
  ) as n (spot_number, notes, access_notes);

create function pg_temp.present() returns timestamptz language sql stable
return current_setting('demo.now')::timestamptz;

/* The start of the day that is this number of days away. */
create function pg_temp.midnight(days integer) returns timestamptz language sql stable
return ((pg_temp.present() at time zone 'Europe/Berlin')::date + days)::timestamp at time zone 'Europe/Berlin';

/* A number that looks random, and is the same for the same text. */
create function pg_temp.chance_of(what text) returns integer language sql stable
return ('x' || left(md5(what), 7))::bit(28)::integer;

create function pg_temp.id_of(name text) returns uuid language sql stable
return (select p.id from pg_temp.person p where p.email = name || '@demo.example');

/* The person does the rest of this transaction. */
create procedure pg_temp.act_as(person_id uuid) language sql
as $$
  select set_config(
           'request.jwt.claims',
           json_build_object('sub', p.id, 'email', p.email, 'email_verified', true)::text,
           true
         )
    from pg_temp.person p
   where p.id = person_id
$$;

/*
 * The windows from eight weeks ago to three weeks ahead. The last digit of a spot's number decides when
 * it is free. Some days are missing. Nobody has ever shared C-310.
 */
create temporary view shared_window with (security_invoker) as
select s.id as spot_id, s.owner_id, w.start_time, w.end_time
  from (
    values (1, array[1, 2, 3, 4, 5], interval '8 hours', interval '18 hours'),
           (2, array[1, 2, 3, 4], interval '7 hours 30 minutes', interval '16 hours 30 minutes'),
           (3, array[6], interval '8 hours', interval '44 hours'),
           (4, array[1, 2, 3, 4, 5], interval '18 hours', interval '32 hours'),
           (0, array[2, 5], interval '6 hours', interval '22 hours')
  ) as habit (digit, weekdays, starts, ends)
  join parking.spots s on right(s.spot_number, 1)::integer % 5 = habit.digit
 cross join lateral (select (pg_temp.present() at time zone 'Europe/Berlin')::date) as today (date)
  join generate_series(today.date - 56, today.date + 21, interval '1 day') as d (day)
    on extract(isodow from d.day) = any (habit.weekdays)
 cross join lateral (
   select (d.day::date + habit.starts) at time zone 'Europe/Berlin' as start_time,
          (d.day::date + habit.ends) at time zone 'Europe/Berlin' as end_time
 ) w
 where s.spot_number <> 'C-310'
   and pg_temp.chance_of(s.spot_number || d.day::date) % 7 <> 0;

grant select
  on pg_temp.person, pg_temp.holding, pg_temp.shared_window, pg_temp.weekly, pg_temp.spot_notes
  to public;

/* The people do everything themselves, as the role of the service. */
set local role parking_api;
do $$
declare
  v_person record;
begin
  for v_person in select p.* from pg_temp.person p loop
    call pg_temp.act_as(v_person.id);
    perform api.create_profile(
      v_person.apartment_number,
      v_person.full_name,
      v_person.phone_number,
      v_person.shares_phone_number
    );
  end loop;
end;
$$;

set local role parking_owner;
select private.make_administrator('ada@demo.example');

set local role parking_api;
do $$
declare
  v_administrator constant uuid := (
    select p.id from pg_temp.person p where p.account = 'administrator'
  );
  v_id uuid;
  v_holding record;
  v_window parking.availabilities;
  v_hours interval;
begin
  call pg_temp.act_as(v_administrator);
  perform api.update_building(
    name => 'Lindenhof 5',
    colour => '#2e7d4f',
    time_zone => 'Europe/Berlin',
    longest_window_days => 14,
    horizon_days => 90,
    shortest_claim_minutes => 30,
    longest_claim_minutes => 4320,
    claim_notice_minutes => 15,
    cancellation_cutoff_minutes => 60,
    most_active_claims => 10 -- at some hours somebody has seven
  );
  perform api.update_profile_flags(p.id, is_approved => true)
     from pg_temp.person p
    where p.account = 'resident';

  for v_holding in select h.* from pg_temp.holding h loop
    call pg_temp.act_as(v_holding.owner_id);
    perform api.create_spot(
        s.number,
        case left(s.number, 1)
          when 'A' then 'North garage'
          when 'B' then 'South garage'
          else 'Courtyard'
        end
      )
       from unnest(v_holding.spot_numbers) as s (number);
    update parking.spots s
       set notes = n.notes
      from pg_temp.spot_notes n
     where n.spot_number = s.spot_number
       and s.owner_id = v_holding.owner_id;
    perform api.update_spot_access(s.id, n.access_notes)
       from pg_temp.spot_notes n
       join parking.spots s on s.spot_number = n.spot_number
      where n.access_notes is not null
        and s.owner_id = v_holding.owner_id;
  end loop;

  call pg_temp.act_as(v_administrator);
  update parking.spots
     set is_verified = true
   where spot_number not in ('B-203', 'C-305', 'C-310'); -- nobody has looked at these yet

  /* The windows from now on. */
  for v_holding in select h.* from pg_temp.holding h loop
    call pg_temp.act_as(v_holding.owner_id);
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
    select w.spot_id, w.owner_id, w.start_time, w.end_time
      from pg_temp.shared_window w
      join parking.spots s on s.id = w.spot_id
     where w.owner_id = v_holding.owner_id
       and w.start_time > pg_temp.present()
       and s.spot_number not in (select spot_number from pg_temp.weekly);
    perform api.create_pattern(
        s.id, w.weekdays, w.starts_at, w.ends_at,
        first_day => (pg_temp.present() at time zone 'Europe/Berlin')::date + 1
      )
       from pg_temp.weekly w
       join parking.spots s on s.spot_number = w.spot_number
      where s.owner_id = v_holding.owner_id;
  end loop;

  /*
   * The claims of the next week. They come before the past: if the present is a later day, the claims
   * of the past have not ended and count for the limit.
   */
  for v_id in select p.id from pg_temp.person p where p.account = 'resident' loop
    call pg_temp.act_as(v_id);
    insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
    select a.id, a.spot_id, a.owner_id,
           a.start_time + interval '30 minutes',
           a.end_time - interval '1 hour'
      from parking.availabilities a
      join parking.spots s on s.id = a.spot_id
     where not a.is_claimed
       and a.owner_id <> v_id
       and a.start_time between pg_temp.present() + interval '1 hour'
                            and pg_temp.present() + interval '7 days'
     order by md5(s.spot_number || a.start_time || v_id)
     limit 3;
  end loop;

  /* The differences from other weeks: people who need a spot, are away, or wait, and for whom. */
  call pg_temp.act_as(pg_temp.id_of('maria'));
  perform api.update_profile(vehicle => 'B-MS 204');
  perform api.update_preferences(
    mail => array['claim.submitted', 'claim.cancelled', 'claim.deleted', 'claim.starts'],
    language => 'de',
    remind_minutes => 90
  );
  perform api.create_exception(
      pg_temp.midnight(15), pg_temp.midnight(17), 'keep', s.id
    )
     from parking.spots s
    where s.spot_number = 'A-101';
  update parking.claims
     set guest = 'Helga Braun', vehicle = 'M-HB 1952'
   where id = (select c.id from parking.claims c where c.claimer_id = private.caller_id() limit 1);

  call pg_temp.act_as(pg_temp.id_of('pavel'));
  perform api.create_exception(
      pg_temp.midnight(16), pg_temp.midnight(18), 'share', s.id
    )
     from parking.spots s
    where s.spot_number = 'C-305';

  call pg_temp.act_as(pg_temp.id_of('omar'));
  perform api.create_wish(
      pg_temp.present() + interval '2 days', pg_temp.present() + interval '2 days 3 hours',
      spot_id => s.id
    )
     from parking.spots s
    where s.spot_number = 'C-310';

  call pg_temp.act_as(v_administrator);
  update parking.building
     set rest_stays_on_offer = true,
         offer_minutes = 30,
         mark = 'L5',
         colour = '#1d6f42';
  perform api.update_section('South garage', longest_window_days => 7);
  -- It is off, because it leads nowhere.
  perform from api.create_webhook(
    'https://hooks.example.org/lindenhof', array['claim.submitted', 'claim.cancelled'],
    format => 'chat', enabled => false
  );
  perform from api.create_invitations('[
    {"email": "nora@demo.example", "apartment_number": "6A", "full_name": "Nora Lind",
     "spots": [{"spot_number": "C-311", "building_section": "Courtyard"}]},
    {"email": "viktor@demo.example", "apartment_number": "6B"}
  ]');

  /* A window with two claims of an hour each. Its owner needs two hours, and the rest is free. */
  select a.* into v_window
    from parking.availabilities a
   where not a.is_claimed
     and a.start_time > pg_temp.present() + interval '7 days'
     and a.end_time >= a.start_time + interval '8 hours'
   order by a.start_time, a.id
   limit 1;
  for v_id, v_hours in
    select p.id, row_number() over (order by p.email) * interval '2 hours'
      from pg_temp.person p
     where p.account = 'resident'
       and p.id <> v_window.owner_id
     limit 2
  loop
    call pg_temp.act_as(v_id);
    perform api.create_claim(
      v_window.id, v_window.start_time + v_hours - interval '1 hour', v_window.start_time + v_hours
    );
  end loop;
  call pg_temp.act_as(v_window.owner_id);
  perform api.create_exception(
    v_window.start_time + interval '5 hours', v_window.start_time + interval '7 hours',
    'keep', v_window.spot_id
  );
end;
$$;
