alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_endpoint_is_one_line,
  add constraint push_subscriptions_endpoint_is_one_line
    check (private.is_one_line(endpoint, 1, 1000));

comment on constraint push_subscriptions_endpoint_is_one_line on parking.push_subscriptions is
  E'@field endpoint\n@de Die Adresse für Mitteilungen hat 1 bis 1000 Zeichen in einer Zeile.\nendpoint must be 1 to 1000 characters on one line';
