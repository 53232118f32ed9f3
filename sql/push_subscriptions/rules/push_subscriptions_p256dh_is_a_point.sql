-- 65 bytes, the first of which is 4. Whether the point is on the curve is found out when something is sent.
alter table parking.push_subscriptions
  drop constraint if exists push_subscriptions_p256dh_is_a_point,
  add constraint push_subscriptions_p256dh_is_a_point
    check (p256dh ~ '^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$');

comment on constraint push_subscriptions_p256dh_is_a_point on parking.push_subscriptions is
  E'@field p256dh\n@de Der Schlüssel des Browsers ist keiner für Mitteilungen.\np256dh must be an uncompressed point of P-256 in base64url without padding';
