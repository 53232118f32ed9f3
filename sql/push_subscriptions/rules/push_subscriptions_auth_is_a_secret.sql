alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_auth_is_a_secret,
  add constraint push_subscriptions_auth_is_a_secret
    check (auth ~ '^[A-Za-z0-9_-]{21}[AQgw]$');

comment on constraint push_subscriptions_auth_is_a_secret on parking.push_subscriptions is
  E'@field auth\n@de Das Geheimnis des Browsers ist keines für Mitteilungen.\nauth must be 16 bytes in base64url without padding';
