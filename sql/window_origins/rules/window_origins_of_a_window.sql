alter table private.window_origins
  drop constraint if exists window_origins_of_a_window,
  add constraint window_origins_of_a_window
    foreign key (window_id)
    references parking.availabilities (id)
    on delete cascade;

comment on constraint window_origins_of_a_window on private.window_origins is
  E'@status 404\nAvailability not found';
