alter table private.events
  drop constraint if exists events_type_is_known,
  add constraint events_type_is_known
    check (private.is_event_type(type));

comment on constraint events_type_is_known on private.events is
  E'@field type\ntype must be a known type of event';
