/* A stolen session of an administrator would otherwise be enough to take the account over. */
alter table private.address_changes
  drop constraint if exists address_changes_not_of_oneself,
  add constraint address_changes_not_of_oneself
    check (given_by <> account_id);

comment on constraint address_changes_not_of_oneself on private.address_changes is
  E'@status 403\n@de Ihre eigene Adresse ändern Sie in Ihrem Profil, mit einem Code an beide Adressen.\nYou change your own address in your profile, with a code to both addresses';
