alter table private.page_files
  drop constraint if exists page_files_name_has_a_hash,
  add constraint page_files_name_has_a_hash
    check (name ~ '^[a-zA-Z0-9_.-]{1,60}\.[A-Z0-9]{8}\.[a-z0-9]{2,5}$');

comment on constraint page_files_name_has_a_hash on private.page_files is
  'A file of the page has a hash of its content in its name';
