alter table private.jobs
  drop constraint if exists jobs_failure_is_short,
  add constraint jobs_failure_is_short
    check (char_length(failure) <= 500);

comment on constraint jobs_failure_is_short on private.jobs is
  'The failure of a job must be at most 500 characters';
