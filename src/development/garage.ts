import { type Person, people } from "./people.ts";

/** Somebody's spots: their numbers begin with the letter of their section. */
interface Holdings {
  readonly owner: Person;
  readonly spots: readonly string[];
}

export const sections: Readonly<Record<string, string>> = {
  A: "North garage",
  B: "South garage",
  C: "Courtyard",
};

export const holdings: readonly Holdings[] = [
  { owner: people.maria, spots: ["A-101", "A-102", "C-301"] },
  { owner: people.lena, spots: ["B-201", "A-103", "C-302"] },
  { owner: people.jonas, spots: ["A-104", "B-202", "B-203"] },
  { owner: people.amara, spots: ["A-105", "B-204", "C-303"] },
  { owner: people.mei, spots: ["A-106", "A-107", "C-304"] },
  { owner: people.pavel, spots: ["B-205", "B-206", "C-305"] },
  { owner: people.sofia, spots: ["A-108", "B-207", "C-306"] },
  { owner: people.tariq, spots: ["A-109", "B-208", "C-307"] },
  { owner: people.ines, spots: ["A-110", "B-209", "C-308"] },
  { owner: people.greta, spots: ["B-210", "C-309", "C-310"] },
];

/** Spots that no administrator has looked at yet. */
export const unverified: readonly string[] = ["B-203", "C-305", "C-310"];

/** The time zone and the limits of the building. */
export const setUp = `
  update parking.building
     set name = 'Lindenhof 5',
         time_zone = 'Europe/Berlin',
         longest_window_days = 14,
         horizon_days = 90,
         shortest_claim_minutes = 30,
         longest_claim_minutes = 4320,
         claim_notice_minutes = 15,
         cancellation_cutoff_minutes = 60,
         most_active_claims = 6`;

/** For this transaction; without a moment, the present one. */
export const setClock =
  "select set_config('demo.now', coalesce($1::timestamptz, now())::text, true)";
const now = "current_setting('demo.now')::timestamptz";
const today = `(${now} at time zone 'Europe/Berlin')::date`;

/** A number that seems to be chance, and is the same for the same text. */
const chanceOf = (text: string): string => `('x' || left(md5(${text}), 7))::bit(28)::integer`;

/**
 * The windows from eight weeks ago to three weeks ahead. The last digit of a spot's number says when
 * it is free; here and there a day is missing. Nobody has ever shared C-310.
 */
const windows = `
  select s.id as spot_id, s.owner_id, w.start_time, w.end_time
    from (
      values (1, array[1, 2, 3, 4, 5], interval '8 hours', interval '18 hours'),
             (2, array[1, 2, 3, 4], interval '7 hours 30 minutes', interval '16 hours 30 minutes'),
             (3, array[6], interval '8 hours', interval '44 hours'),
             (4, array[1, 2, 3, 4, 5], interval '18 hours', interval '32 hours'),
             (0, array[2, 5], interval '6 hours', interval '22 hours')
    ) as habit (digit, weekdays, starts, ends)
    join parking.spots s on right(s.spot_number, 1)::integer % 5 = habit.digit
    join generate_series(${today} - 56, ${today} + 21, interval '1 day') as day
      on extract(isodow from day) = any (habit.weekdays)
    cross join lateral (
      select (day::date + habit.starts) at time zone 'Europe/Berlin' as start_time,
             (day::date + habit.ends) at time zone 'Europe/Berlin' as end_time
    ) w
   where s.spot_number <> 'C-310'
     and ${chanceOf("s.spot_number || day::date")} % 7 <> 0`;

/** What the caller shares from now on. */
export const shareSpots = `
  insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
  select w.spot_id, w.owner_id, w.start_time, w.end_time
    from (${windows}) w
   where w.owner_id = private.caller_id()
     and w.start_time > ${now}`;

/** What everybody has shared until now. */
export const sharePast = `
  insert into parking.availabilities (spot_id, owner_id, start_time, end_time, created_at, updated_at)
  select w.spot_id, w.owner_id, w.start_time, w.end_time, made.at, made.at
    from (${windows}) w
    cross join lateral (select w.start_time - interval '5 days' as at) made
   where w.start_time <= ${now}`;

/** Who has parked there: more in the north than elsewhere. Some cancelled; some park now. */
export const claimPast = `
  with residents as (
    select p.id, row_number() over (order by p.id) as number, count(*) over () as total
      from parking.profiles p
     where p.is_approved and not p.is_admin
  ),
  claimed as (
    insert into parking.claims (
      availability_id, spot_id, owner_id, claimer_id,
      start_time, end_time, status, created_at, updated_at
    )
    select a.id, a.spot_id, a.owner_id, r.id,
           c.start_time, c.end_time,
           case
             when c.end_time > ${now} then 'active'
             when chance.n % 9 = 0 then 'cancelled'
             else 'completed'
           end,
           c.created_at, c.created_at
      from parking.availabilities a
      join parking.spots s on s.id = a.spot_id
     cross join lateral (select ${chanceOf("s.spot_number || a.start_time")} as n) chance
      join residents r on r.number = 1 + chance.n / 100 % r.total and r.id <> a.owner_id
     cross join lateral (
       select a.start_time + chance.n % 3 * interval '30 minutes' as start_time,
              a.end_time - chance.n % 4 * interval '1 hour' as end_time,
              a.start_time - (1 + chance.n % 90) * interval '1 hour' as created_at
     ) c
     where c.start_time <= ${now}
       and chance.n % 100 < case left(s.spot_number, 1) when 'A' then 85 when 'B' then 65 else 45 end
    returning availability_id, status
  )
  update parking.availabilities a
     set is_claimed = true
    from claimed c
   where c.availability_id = a.id
     and c.status <> 'cancelled'`;

/** What the caller claims in the week to come. */
export const claimSpots = `
  insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
  select a.id, a.spot_id, a.owner_id,
         a.start_time + interval '30 minutes',
         a.end_time - interval '1 hour'
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where not a.is_claimed
     and a.owner_id <> private.caller_id()
     and a.start_time between ${now} + interval '1 hour' and ${now} + interval '7 days'
   order by md5(s.spot_number || a.start_time || private.caller_id())
   limit 3`;
