/* Of which window one was a part before exceptions cut it, so that it can be made whole again. */
create table if not exists private.window_origins (
  window_id uuid,
  origin_id uuid not null,
  constraint window_origins_pkey primary key (window_id)
);

comment on table private.window_origins is
  'The windows that exceptions made of parts of others, or in the place of others that they withdrew.';
comment on column private.window_origins.window_id is
  'The window.';
comment on column private.window_origins.origin_id is
  'The window that it was a part of, or stands for. No foreign key: a withdrawn one is gone.';

alter table private.window_origins enable row level security;
-- No policy and no grant: only functions write and read it.
