alter table private.jobs
  drop constraint if exists jobs_kind_is_a_word,
  add constraint jobs_kind_is_a_word
    check (kind ~ '^[a-z]{1,40}$');

comment on constraint jobs_kind_is_a_word on private.jobs is
  'A kind of job is a word of small letters';
