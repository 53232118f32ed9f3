alter table private.jobs
  drop constraint if exists jobs_key_is_one_line,
  add constraint jobs_key_is_one_line
    check (private.is_one_line(key, 1, 200));

comment on constraint jobs_key_is_one_line on private.jobs is
  'The key of a job must be 1 to 200 characters on one line';
