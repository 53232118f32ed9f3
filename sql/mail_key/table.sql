/* Signs the link that ends a person's mails with one click. The reader of the mail needs no token. */
create table if not exists private.mail_key (
  key bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);

alter table private.mail_key enable row level security;
-- No policy and no grant: private.unsubscribe compares what it signs.

comment on table private.mail_key is
  'The key of the addresses that end mails: one row. A new key makes those of older mails invalid.';
comment on column private.mail_key.key is
  '244 random bits.';

insert into private.mail_key
select
 where not exists (select from private.mail_key);

-- See private.new_events.
alter table private.mail_key replica identity full;
