/*
 * Who has a turn at a window that still fits, or a message that they have not read, is told of no other; whose
 * turn is to come, of one that they can have earlier; who let theirs pass, of what became free since.
 */
create or replace view private.waiting_wishes
  with (security_invoker)
as
  select f.availability_id as offered_id, f.free_since, w.id, w.wisher_id
    from private.fitting_windows f
    join parking.wishes w on w.id = f.wish_id
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
   where not exists (
           select
             from private.known_windows k
            where k.wish_id = f.wish_id
              and k.availability_id = f.availability_id
         )
     and (
       not exists (
         select
           from private.fitting_windows o
          where o.wish_id = w.id
            and o.availability_id = w.availability_id
       )
       or w.offered_from > clock_timestamp()
       or w.updated_at <= f.free_since
         and case
           when w.offered_until is null then
             not exists (select from parking.notifications n where n.id = w.id and not n.is_read)
           else w.offered_until <= clock_timestamp()
         end
     );

comment on view private.waiting_wishes is
  'The open wishes, with each free window that fits them and of which the resident is to be told.';
comment on column private.waiting_wishes.offered_id is
  'The window.';
comment on column private.waiting_wishes.free_since is
  'When some of the window became free last.';
comment on column private.waiting_wishes.id is
  'The wish.';
comment on column private.waiting_wishes.wisher_id is
  'Who waits.';
