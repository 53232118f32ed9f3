alter table parking.webhooks
  drop constraint if exists webhooks_types_are_known,
  add constraint webhooks_types_are_known
    check (private.are_webhook_types(types));

comment on constraint webhooks_types_are_known on parking.webhooks is
  E'@field types\n@de Wählen Sie eine oder mehrere Arten von Ereignissen, jede einmal.\ntypes must be one or more different types of events of which administrators see the subject';
