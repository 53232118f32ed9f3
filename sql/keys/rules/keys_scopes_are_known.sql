create or replace function private.are_scopes(scopes text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return array_ndims(scopes) = 1
    and scopes <@ array['gate', 'reports', 'events']
    and cardinality(scopes) = (select count(distinct s.scope) from unnest(scopes) s (scope));
end;
$$;

comment on function private.are_scopes is
  'Whether these are different scopes of keys, one at least.';
grant execute on function private.are_scopes to parking_api;

alter table parking.keys
  drop constraint if exists keys_scopes_are_known,
  add constraint keys_scopes_are_known
    check (private.are_scopes(scopes) is true);

comment on constraint keys_scopes_are_known on parking.keys is
  E'@field scopes\n@de Wählen Sie, was der Schlüssel darf, jedes einmal.\nscopes must be one or more of gate, reports and events, each once';
