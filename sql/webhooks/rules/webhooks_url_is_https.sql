-- A first look only: where a name leads is checked when something is sent (src/webhooks). In production
-- nothing is sent to this machine.
alter table parking.webhooks
  drop constraint if exists webhooks_url_is_https,
  add constraint webhooks_url_is_https
    check (
      url ~* '^https://[^/?#@\\\s]+([/?#][^\s]*)?$'
      or url ~* '^http://(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?([/?#][^\s]*)?$'
    );

comment on constraint webhooks_url_is_https on parking.webhooks is
  E'@field url\n@de Die Adresse muss mit https:// beginnen und darf weder Namen noch Passwort enthalten.\nurl must begin with https:// and have no name or password in it';
