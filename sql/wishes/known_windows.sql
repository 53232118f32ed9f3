/*
 * Who asks while a window is free sees that it is, and so does who frees it: to them it does not become free, and
 * they have no turn. So nobody keeps a window from others by asking again. As rows, and not by times: a change
 * that has not ended yet has an earlier time than the wish, and is not seen.
 */
create table if not exists private.known_windows (
  -- No foreign keys: private.tell_waiting deletes what does not fit any more.
  wish_id uuid not null,
  availability_id uuid not null,
  constraint known_windows_pkey primary key (wish_id, availability_id)
);

comment on table private.known_windows is
  'Of the windows that fit an open wish, those that the resident knows: they saw them when they asked, freed them, or were told.';
comment on column private.known_windows.wish_id is
  'The wish.';
comment on column private.known_windows.availability_id is
  'The window that fits it.';

alter table private.known_windows enable row level security;
-- No policy and no grant: only functions write and read it.
