create or replace view reporting.rules as
  select r.name,
         r."table",
         r.kind,
         r.status,
         r.field,
         r.message
    from private.rules r;

comment on view reporting.rules is
  'The rule catalogue: one row for each rule and table.';
comment on column reporting.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column reporting.rules."table" is
  'The table it is about, or the domain.';
comment on column reporting.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, domain, trigger or policy.';
comment on column reporting.rules.status is
  'The HTTP status of a refusal.';
comment on column reporting.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column reporting.rules.message is
  'What the caller reads.';
grant select on reporting.rules to parking_reporter;
