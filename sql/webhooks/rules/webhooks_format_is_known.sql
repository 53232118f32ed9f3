alter table parking.webhooks
  drop constraint if exists webhooks_format_is_known,
  add constraint webhooks_format_is_known
    check (format in ('event', 'chat', 'teams'));

comment on constraint webhooks_format_is_known on parking.webhooks is
  E'@field format\n@de Wählen Sie Ereignisse oder Text als Format.\nformat must be event, chat or teams';
