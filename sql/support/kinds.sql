/* A function, because each INSERT reads the expression of a check anew, and a list word by word: a fiftieth of a claim. */
create or replace function private.is_event_type(type text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return type in (
    'profile.registered', 'profile.updated', 'profile.approved', 'profile.rejected', 'profile.erased',
    'spot.registered', 'spot.updated', 'spot.verified', 'spot.deleted',
    'availability.created', 'availability.updated', 'availability.deleted',
    'pattern.created', 'pattern.updated', 'pattern.deleted',
    'claim.submitted', 'claim.updated', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'report.submitted', 'report.resolved',
    'building.updated', 'access.updated',
    'key.created', 'key.deleted',
    'notification.created'
  );
end;
$$;

comment on function private.is_event_type is
  'Whether this is a type of event.';
grant execute on function private.is_event_type to parking_api;

create or replace function private.is_notification_kind(kind text)
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return kind in (
    'claim.submitted', 'claim.completed', 'claim.cancelled', 'claim.deleted',
    'profile.approved', 'profile.rejected', 'profiles.waiting', 'spot.verified', 'spot.deleted', 'availability.deleted',
    'report.submitted', 'wish.fits', 'webhook.disabled'
  );
end;
$$;

comment on function private.is_notification_kind is
  'Whether this is a kind of notification.';
grant execute on function private.is_notification_kind to parking_api;

create or replace function private.are_mail_kinds(kinds text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return coalesce(array_ndims(kinds), 1) = 1 and cardinality(kinds) = (
    select count(distinct k.kind)
      from unnest(kinds) k (kind)
     where private.is_notification_kind(k.kind)
        or k.kind in ('claim.starts', 'claim.ends')
  );
end;
$$;

comment on function private.are_mail_kinds is
  'Whether these are different kinds of mail: those of notifications, and reminders.';
grant execute on function private.are_mail_kinds to parking_api;

/* Not those of patterns and notifications: administrators do not see what is other people's own. */
create or replace function private.are_webhook_types(types text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(types) > 0
    and array_ndims(types) = 1
    and cardinality(types) = (select count(distinct t.type) from unnest(types) t (type))
    and not exists (
      select
        from unnest(types) t (type)
       where private.is_event_type(t.type) is not true
          or split_part(t.type, '.', 1) not in ('profile', 'spot', 'availability', 'claim', 'report')
    );
end;
$$;

comment on function private.are_webhook_types is
  'Whether these are different types of events that go to webhooks, one at least.';
grant execute on function private.are_webhook_types to parking_api;
