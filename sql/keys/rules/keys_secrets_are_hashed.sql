alter table parking.keys
  drop constraint if exists keys_secrets_are_hashed,
  add constraint keys_secrets_are_hashed
    check (octet_length(secret_hash) = 32);

comment on constraint keys_secrets_are_hashed on parking.keys is
  E'@de Dieses Geheimnis taugt nicht für einen Schlüssel.\nThe secret of a key is kept as its SHA-256';
