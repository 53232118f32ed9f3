alter table parking.webhooks
  drop constraint if exists webhooks_url_is_one_line,
  add constraint webhooks_url_is_one_line
    check (private.is_one_line(url, 1, 2000));

comment on constraint webhooks_url_is_one_line on parking.webhooks is
  E'@field url\n@de Die Adresse hat 1 bis 2000 Zeichen in einer Zeile.\nurl must be 1 to 2000 characters on one line';
