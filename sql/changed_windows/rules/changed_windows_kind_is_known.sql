alter table private.changed_windows
  drop constraint if exists changed_windows_kind_is_known,
  add constraint changed_windows_kind_is_known
    check (kind in ('pattern', 'exception'));

comment on constraint changed_windows_kind_is_known on private.changed_windows is
  'Windows are changed by a pattern or an exception';
