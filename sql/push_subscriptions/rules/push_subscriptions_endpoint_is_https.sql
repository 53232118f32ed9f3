-- A first look only: where a name leads is checked when something is sent (src/webhooks/target.ts).
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_endpoint_is_https,
  add constraint push_subscriptions_endpoint_is_https
    check (endpoint ~ '^https://[^/?#@\\\s]+([/?#][^\s]*)?$');

comment on constraint push_subscriptions_endpoint_is_https on parking.push_subscriptions is
  E'@field endpoint\n@de Die Adresse für Mitteilungen muss mit https:// beginnen und darf weder Namen noch Passwort enthalten.\nendpoint must begin with https:// and have no name or password in it';
