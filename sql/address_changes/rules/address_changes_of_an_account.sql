alter table private.address_changes
  drop constraint if exists address_changes_of_an_account,
  add constraint address_changes_of_an_account
    foreign key (account_id)
    references identity.accounts (id)
    on delete cascade;

comment on constraint address_changes_of_an_account on private.address_changes is
  E'@status 409\n@de Diese Person meldet sich nicht per E-Mail an.\nThis person does not sign in by mail';
