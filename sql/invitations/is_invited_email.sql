/* The pattern of <input type="email">, as HTML has it. Of an invitation that is over, it does not matter any more. */
create or replace function private.is_invited_email(email text, status text)
  returns boolean
  language plpgsql -- a body in SQL would be planned anew for each statement that checks it
  immutable
  strict
  parallel safe
  set search_path = ''
as $$
begin
  return status <> 'open'
    or email ~ (
      '^[a-zA-Z0-9.!#$%&''*+/=?^_`{|}~-]+'
      '@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$'
    );
end;
$$;

comment on function private.is_invited_email is
  'Whether this is one e-mail address and nothing else, as a field of type email takes it, or the invitation is over.';
grant execute on function private.is_invited_email to parking_api;
