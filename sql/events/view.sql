create or replace view private.listeners
  with (security_invoker)
as
  select p.id, p.is_admin
    from parking.profiles p
   where p.is_approved
  union all
  select k.id, true
    from parking.keys k
   where 'events' = any (k.scopes)
     and k.expires_at > now();

comment on view private.listeners is
  'Who may follow the events: approved people, and keys for events, which see what administrators see.';
comment on column private.listeners.id is
  'The person, or the key.';
comment on column private.listeners.is_admin is
  'Whether they see what administrators see.';
