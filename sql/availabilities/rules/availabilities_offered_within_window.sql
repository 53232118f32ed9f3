alter table parking.availabilities
  drop constraint if exists availabilities_offered_within_window,
  add constraint availabilities_offered_within_window
    check (tstzmultirange(during) @> offered);

comment on constraint availabilities_offered_within_window on parking.availabilities is
  E'@de Der Stellplatz ist nicht die ganze Zeit geteilt.\nWhat is offered lies within the window';
