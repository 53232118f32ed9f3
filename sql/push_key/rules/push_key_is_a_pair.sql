alter table private.push_key
  drop constraint if exists push_key_is_a_pair,
  add constraint push_key_is_a_pair
    check (
      public_key ~ '^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$'
      and private_key ~ '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
    );

comment on constraint push_key_is_a_pair on private.push_key is
  'The key of pushes is a point of P-256 and 32 bytes, in base64url';
