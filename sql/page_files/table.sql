/*
 * While two versions of the service run, a browser may have the index of the one and ask the other for
 * its files; and a page that stays open asks for them later.
 */
create table if not exists private.page_files (
  name text,
  content bytea not null,
  release integer not null,
  constraint page_files_pkey primary key (name)
);

alter table private.page_files enable row level security;

drop policy if exists select_any on private.page_files;
create policy select_any on private.page_files
  for select to parking_api
  using (true);

grant select on private.page_files to parking_api;
-- No grant to write: everybody's browser runs these files.

comment on table private.page_files is
  'The files of the page, of this version of the service and the two before.';
comment on column private.page_files.name is
  'It has a hash of the content in it.';
comment on column private.page_files.content is
  'What the browser gets.';
comment on column private.page_files.release is
  'The newest version that has it, as they are counted here.';
