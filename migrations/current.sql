-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- Windows are not cut any more: what is free of them follows from the rows.
drop trigger if exists clear_part_of on parking.availabilities;
drop trigger if exists offer_published on parking.availabilities;
drop trigger if exists offer_kept on parking.availabilities;
drop trigger if exists offer_freed on parking.availabilities;
drop trigger if exists offer_moved on parking.availabilities;
drop trigger if exists notify_of_deletion on parking.availabilities;
drop trigger if exists record_deletions on parking.availabilities;
drop trigger if exists availabilities_start_in_future on parking.availabilities;
drop trigger if exists fit_claim on parking.claims;
drop trigger if exists withdraw_freed on parking.claims;
drop trigger if exists withdraw_freed_of_deleted on parking.claims;
drop trigger if exists notify_of_claim on parking.claims;
drop trigger if exists lock_plans_before on parking.patterns;
drop function if exists private.lock_plans_before();
drop function if exists private.lock_spot_of_pattern(uuid);
drop function if exists private.clear_part_of();
drop function if exists private.fit_claim();
drop function if exists private.withdraw_freed();
drop function if exists private.offer_window();
drop function if exists private.offer_to_waiting(parking.availabilities, tstzmultirange);
drop function if exists private.move_offers(uuid, uuid);
drop function if exists private.keep_offers(uuid, uuid[]);
drop function if exists private.join_pieces(uuid, timestamptz, timestamptz);
drop function if exists private.keep_on_offer(uuid, timestamptz, timestamptz);
drop function if exists private.offer_rest(uuid, timestamptz, timestamptz);
drop function if exists private.piece_for(uuid, timestamptz, timestamptz);
drop function if exists private.rejoin_piece(uuid);
drop function if exists private.withdraw_all(uuid[]);
drop function if exists private.withdraw_window(uuid);
drop function if exists private.withdraw_windows(parking.patterns);
drop function if exists private.renew_pattern(uuid);
drop function if exists private.publish_pattern(uuid);
drop function if exists private.publish_window(parking.patterns, date, timestamptz, timestamptz);
drop function if exists private.note_published(uuid, date);
drop function if exists private.notify_of_collision(uuid, timestamptz, timestamptz);
drop function if exists private.leave_out(uuid, date, tstzrange);
drop function if exists private.is_kept(uuid, timestamptz, timestamptz);
drop function if exists private.is_of_pattern(uuid, date, tstzrange);
drop function if exists private.keep_out_of_window(uuid);
drop function if exists private.keep_own_spots(uuid);
drop function if exists private.note_shared(uuid, uuid[]);
drop function if exists private.publish_left_days(parking.exceptions);
drop function if exists private.restore_kept(jsonb);
drop function if exists private.restore_window(private.exception_changes, tstzrange);
drop function if exists private.share_again(uuid, tstzmultirange, uuid);
drop function if exists private.share_own_spots(parking.exceptions);
drop function if exists private.shared_windows(uuid);
drop function if exists private.taken_times(uuid);
drop function if exists private.withdraw_kept(parking.exceptions, uuid, tstzrange);
drop function if exists private.withdraw_shared(uuid);
drop function if exists private.kept_times(uuid, timestamptz, uuid);
drop function if exists private.count_changed_windows(uuid, text, integer);
drop function if exists private.origin_of(uuid);
drop function if exists private.note_origin(uuid, uuid);
drop function if exists private.enforce_few_a_day() cascade;
drop function if exists private.enforce_few_windows() cascade;
drop view if exists reporting.availabilities;

-- They include what a window shows to whom.
drop index if exists parking.availabilities_start_time_id_idx;
drop index if exists parking.availabilities_spot_id_start_time_idx;
drop index if exists parking.availabilities_owner_id_start_time_idx;
drop index if exists parking.availabilities_end_time_idx;
drop index if exists parking.availabilities_free_start_time_idx;
drop index if exists parking.availabilities_free_owner_id_start_time_idx;
drop index if exists parking.claims_one_per_availability;

alter table parking.patterns drop constraint if exists patterns_left_out_times_are_few;
--!include patterns/table.sql
--!include exceptions/table.sql
--!include availabilities/table.sql
--!include claims/table.sql
--!include claims/rules/claims_of_an_availability.sql
--!include claims/rules/claims_within_availability.sql

-- What was done to windows goes back into what their owners said, and no one is told of it.
alter table parking.availabilities disable trigger user;
alter table parking.claims disable trigger user;

update parking.availabilities a
   set source_id = coalesce(a.pattern_id, uuidv7())
 where a.pattern_day is not null;
update parking.availabilities a
   set source_id = t.exception_id
  from private.exception_changes t
  join parking.exceptions e on e.id = t.exception_id and e.kind = 'share'
 where a.spot_id = t.spot_id
   and a.start_time >= t.start_time
   and a.end_time <= t.end_time
   and t.window_id = coalesce(
     (select o.origin_id from private.window_origins o where o.window_id = a.id), a.id
   );
update parking.patterns p
   set withdrawn = (
         select coalesce(range_agg(t), '{}')
           from (
             select unnest(p.left_out_times)
             union all
             select tstzrange(s.start_time, s.end_time)
               from unnest(p.left_out) d
              cross join lateral private.pattern_spans(
                p.weekdays, p.starts_at, p.ends_at, d, d, p.time_zone
              ) s
              where s.start_time < s.end_time
           ) x (t)
       ),
       published_until = null -- the job looks at each anew
 where p.published_until is not null;
update parking.claims c
   set takes = a.during
  from parking.availabilities a
 where a.id = c.availability_id
   and c.status <> 'cancelled';
-- Windows that were put away for their cancelled claims, which stay by themselves now.
delete from parking.availabilities a
 where a.end_time - a.start_time = interval '1 millisecond'
   and not a.is_claimed;
-- What is kept of a window by hand, and what is left of it, is one window again.
do $$
declare
  v_whole record;
begin
  for v_whole in
    with parts as (
      select t.spot_id, t.window_id as origin_id, tstzrange(t.start_time, t.end_time) as part, null::uuid as id
        from private.exception_changes t
        join parking.exceptions e on e.id = t.exception_id and e.kind = 'keep'
       where t.pattern_id is null
      union all
      select a.spot_id, coalesce(o.origin_id, a.id), a.during, a.id
        from parking.availabilities a
        left join private.window_origins o on o.window_id = a.id
       where a.source_id is null
         and not a.is_claimed
         and a.end_time > now()
    )
    select p.spot_id, p.origin_id, w.whole,
           array_agg(p.id order by p.part) filter (where p.id is not null) as ids
      from parts p
      join (
        select x.spot_id, x.origin_id, unnest(range_agg(x.part)) as whole
          from parts x
         group by x.spot_id, x.origin_id
        having bool_or(x.id is null)
      ) w on w.spot_id = p.spot_id and w.origin_id = p.origin_id and w.whole @> p.part
     group by p.spot_id, p.origin_id, w.whole
  loop
    continue when exists (
      select
        from parking.availabilities a
       where a.spot_id = v_whole.spot_id
         and a.during && v_whole.whole
         and a.id <> all (coalesce(v_whole.ids, '{}'))
    );
    delete from parking.availabilities a where a.id = any (v_whole.ids[2:]);
    if cardinality(v_whole.ids) > 0 then
      update parking.availabilities a
         set start_time = lower(v_whole.whole),
             end_time = upper(v_whole.whole)
       where a.id = v_whole.ids[1];
    else
      insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
      select s.id, s.owner_id, lower(v_whole.whole), upper(v_whole.whole)
        from parking.spots s
       where s.id = v_whole.spot_id
         and s.retired_at is null;
    end if;
  end loop;
end $$;
alter table parking.availabilities enable trigger user;
alter table parking.claims enable trigger user;

--!include export/exports.sql
drop table if exists private.window_origins;
drop table if exists private.exception_changes;
drop table if exists private.changed_windows;
alter table parking.availabilities
  drop column if exists part_of,
  drop column if exists pattern_day;
alter table parking.patterns
  drop column if exists left_out,
  drop column if exists left_out_times;

-- Nobody is told of a collision: what does not collide is published, and the rest follows by itself.
delete from parking.notifications n where n.kind = 'pattern.collided';
update parking.building b set mail = array_remove(b.mail, 'pattern.collided');
update parking.preferences f set mail = array_remove(f.mail, 'pattern.collided') where 'pattern.collided' = any (f.mail);
update parking.webhooks w
   set types = coalesce(nullif(array_remove(array_remove(w.types, 'pattern.collided'), 'availability.joined'), '{}'), array['availability.updated'])
 where w.types && array['pattern.collided', 'availability.joined'];
alter table private.events disable trigger user;
delete from private.events e where e.type = 'pattern.collided';
update private.events e set type = 'availability.deleted', data = e.data - 'part_of' where e.type = 'availability.joined';
alter table private.events enable trigger user;
alter table private.new_events disable trigger user;
delete from private.new_events e where e.type = 'pattern.collided';
update private.new_events e set type = 'availability.deleted' where e.type = 'availability.joined';
alter table private.new_events enable trigger user;
drop index if exists parking.wishes_offered_until_idx;
revoke update (pattern_id) on parking.availabilities from parking_api;
--!include reports/views/spots.sql
--!include reports/views/spot_utilisation.sql
--!include reports/views/people.sql
drop function if exists private.is_put_away(timestamptz, timestamptz);
--!include events/table.sql
--!include profiles/end_of_person.sql
--!include notifications/is_notification_kind.sql
--!include building/table.sql
--!include spots/retire_spot.sql
--!include limits/columns_of_views.sql
