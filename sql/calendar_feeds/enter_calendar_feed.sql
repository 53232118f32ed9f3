/* The first step of a request to a feed: policies then hold as for its owner, who writes nothing by it. */
create or replace function private.enter_calendar_feed(secret_hash bytea, out language text)
  language plpgsql
  security definer -- finds the owner of a secret, which the API role may not read
  set search_path = ''
as $$
declare
  v_owner_id uuid;
begin
  select f.person_id, f.language
    into v_owner_id, language
    from parking.calendar_feeds f
    join parking.profiles p on p.id = f.person_id
   where f.secret_hash = enter_calendar_feed.secret_hash
     and p.is_approved;

  perform set_config('transaction_read_only', 'on', true);
  perform set_config('request.jwt.claims', jsonb_build_object('sub', v_owner_id)::text, true);
end;
$$;

comment on function private.enter_calendar_feed is
  'Makes the owner of the feed with this hash of its secret the caller of a transaction that only reads, and returns the language of the feed. Where there is none, or its owner is not approved, it returns null, and nobody is the caller.';
grant execute on function private.enter_calendar_feed to parking_api;
