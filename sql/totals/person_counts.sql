/* How many claims each person has made, so that the dashboard need not count ten years of them. */
create table if not exists private.person_counts (
  id bigint generated always as identity,
  person_id uuid not null,
  counted text not null,
  number integer not null,
  constraint person_counts_pkey primary key (id)
)
-- Room on each page for the next version of its rows, which then needs no new entry in the index.
with (fillfactor = 50);

alter table private.person_counts enable row level security;
-- No policy and no grant: functions that know what the caller may see read it.

comment on table private.person_counts is
  'How many claims of each status each claimer has. The count is the sum of the rows: there are several where several transactions wrote at the same time.';
comment on column private.person_counts.id is
  'The row.';
comment on column private.person_counts.person_id is
  'The claimer.';
comment on column private.person_counts.counted is
  'The status of the claims.';
comment on column private.person_counts.number is
  'What this row adds to the count.';

create index if not exists person_counts_person_id_counted_idx
  on private.person_counts (person_id, counted);
