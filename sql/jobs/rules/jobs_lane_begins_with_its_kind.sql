alter table private.jobs
  drop constraint if exists jobs_lane_begins_with_its_kind,
  add constraint jobs_lane_begins_with_its_kind
    check (lane ~ '^[a-z]{1,40}(:.{1,100})?$' and split_part(lane, ':', 1) = kind);

comment on constraint jobs_lane_begins_with_its_kind on private.jobs is
  'A lane begins with the kind of its jobs';
