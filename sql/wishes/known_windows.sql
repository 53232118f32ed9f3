/*
 * Who asks while a window is free sees that it is, and so does who frees it: to them it does not become free, and
 * they have no turn. So nobody keeps a window from others by asking again. As rows, and not by times: a change
 * that has not ended yet has an earlier time than the wish, and is not seen.
 */
create table if not exists private.known_windows (
  wish_id uuid not null,
  availability_id uuid not null, -- no foreign key: private.tell_waiting deletes what does not fit any more
  constraint known_windows_pkey primary key (wish_id, availability_id),
  constraint known_windows_of_a_wish
    foreign key (wish_id)
    references parking.wishes (id)
    on delete cascade
);

comment on table private.known_windows is
  'Of the windows that fit an open wish, those that the resident knows: they saw them when they asked, freed them, or were told.';
comment on column private.known_windows.wish_id is
  'The wish.';
comment on column private.known_windows.availability_id is
  'The window that fits it.';

create or replace function private.know_windows()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
begin
  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from private.fitting_windows f
   where f.wish_id = new.id;
  return null;
end;
$$;

comment on function private.know_windows is
  'Trigger function: notes the windows that who asks sees.';

create or replace trigger know_windows
  after insert on parking.wishes
  for each row
  execute function private.know_windows();

create or replace function private.know_freed()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
declare
  v_windows uuid[];
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;
  if tg_op = 'UPDATE' then
    v_windows := array(
      select new.availability_id where new.claimer_id = (select private.caller_id())
    );
  else
    v_windows := array(
      select d.holds from deleted d where d.claimer_id = (select private.caller_id())
    );
  end if;

  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from private.fitting_windows f
    join parking.wishes w on w.id = f.wish_id
   where f.availability_id = any (v_windows)
     and f.wisher_id = (select private.caller_id())
     for key share of w skip locked -- not one that is being withdrawn
  on conflict do nothing;
  return null;
end;
$$;

comment on function private.know_freed is
  'Trigger function: notes that claimers know the windows that they free.';

-- Triggers run in the order of their names: after those that set what is free.
create or replace trigger note_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  execute function private.know_freed();

create or replace trigger note_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.know_freed();
