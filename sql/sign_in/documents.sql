create or replace function identity.keep_document(
    model text,
    id_hash bytea,
    uid_hash bytea,
    payload jsonb,
    seconds integer
)
  returns void
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  insert into identity.documents as d (
    model, id_hash, uid_hash, account_id, payload, signed_in_at, expires_at
  )
  values (
    keep_document.model,
    keep_document.id_hash,
    keep_document.uid_hash,
    -- A sign-in belongs to who typed its code, also before the browser goes on.
    coalesce(
      keep_document.payload ->> 'accountId',
      keep_document.payload #>> '{result,login,accountId}'
    )::uuid,
    keep_document.payload,
    to_timestamp((keep_document.payload ->> case keep_document.model
      when 'Session' then 'loginTs'
      when 'RefreshToken' then 'authTime'
      when 'Grant' then 'iat'
    end)::float8),
    clock_timestamp() + make_interval(secs => keep_document.seconds)
  )
  on conflict on constraint documents_pkey do update
    set uid_hash = excluded.uid_hash,
        account_id = excluded.account_id,
        payload = excluded.payload,
        signed_in_at = excluded.signed_in_at,
        expires_at = excluded.expires_at
    -- A request that began before its session was ended stores it afterwards.
    where d.expires_at > clock_timestamp();

  if keep_document.model = 'Interaction' then
    perform identity.prune(2);
  end if;
end;
$$;

comment on function identity.keep_document is
  'Stores a document of the provider, or its new content.';
grant execute on function identity.keep_document to parking_api;

/* It reads the days of the building each time, so a change holds for people who have signed in already. */
create or replace function identity.find_document(
    model text,
    id_hash bytea default null,
    uid_hash bytea default null
)
  returns jsonb
  language plpgsql
  stable
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_days constant integer := (private.building()).session_days;
begin
  perform private.require_service();

  return (
    select d.payload || jsonb_strip_nulls(
             jsonb_build_object('consumed', floor(extract(epoch from d.consumed_at)))
           )
      from identity.documents d
     where d.model = find_document.model
       and (d.id_hash = find_document.id_hash or d.uid_hash = find_document.uid_hash)
       and d.expires_at > clock_timestamp()
       and (
         d.signed_in_at is null
         or d.signed_in_at > clock_timestamp() - make_interval(days => v_days)
       )
     limit 1
  );
end;
$$;

comment on function identity.find_document is
  'The content of a document that has not ended, by the hash of its id or, of a session, of its name.';
grant execute on function identity.find_document to parking_api;

/* One of two requests that use it at once learns that it came second, and ends what came of the first. */
create or replace function identity.consume_document(model text, id_hash bytea)
  returns boolean
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  update identity.documents d
     set consumed_at = clock_timestamp()
   where d.model = consume_document.model
     and d.id_hash = consume_document.id_hash
     and d.consumed_at is null
     and d.expires_at > clock_timestamp();
  if found then
    return true;
  end if;

  perform identity.end_document(sha256(convert_to(d.payload ->> 'grantId', 'UTF8')))
     from identity.documents d
    where d.model = consume_document.model
      and d.id_hash = consume_document.id_hash;
  return false;
end;
$$;

comment on function identity.consume_document is
  'Marks a document as used; false where it has ended, or was used before, which ends its grant.';
grant execute on function identity.consume_document to parking_api;

/*
 * The row stays until it is pruned, so that no request at the same moment stores it anew. Codes and refresh tokens
 * are of no use without their grant.
 */
create or replace function identity.end_document(id_hash bytea)
  returns void
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
begin
  perform private.require_service();

  update identity.documents d
     set expires_at = clock_timestamp() - interval '1 second'
   where d.id_hash = end_document.id_hash
     and d.expires_at > clock_timestamp();
end;
$$;

comment on function identity.end_document is
  'Ends a document, and with a grant all that came of it.';
grant execute on function identity.end_document to parking_api;

create or replace function identity.end_elsewhere(account_id uuid, kept_hashes bytea[])
  returns integer
  language plpgsql
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_ended integer;
begin
  perform private.require_service();

  update identity.accounts a
     set signed_out_at = clock_timestamp()
   where a.id = end_elsewhere.account_id;

  -- Not the rows: tokens of a grant that has ended are of no use, although they have not expired.
  v_ended := (
    select count(*)
      from identity.signed_in_elsewhere(end_elsewhere.account_id, end_elsewhere.kept_hashes)
  );

  update identity.documents d
     set expires_at = clock_timestamp() - interval '1 second'
   where d.account_id = end_elsewhere.account_id
     and d.expires_at > clock_timestamp()
     and d.id_hash <> all (end_elsewhere.kept_hashes)
     and (sha256(convert_to(d.payload ->> 'grantId', 'UTF8')) = any (end_elsewhere.kept_hashes)) is not true;
  return v_ended;
end;
$$;

comment on function identity.end_elsewhere is
  'Ends what is signed in as a person, but for one session and its grant. Returns in how many other browsers the person was signed in.';
grant execute on function identity.end_elsewhere to parking_api;

/* Grants, not sessions: a browser may have ended its session, and still have a token of the grant. */
create or replace function identity.signed_in_elsewhere(account_id uuid, kept_hashes bytea[])
  returns setof date
  language plpgsql
  stable
  security definer -- the API role has no access to the documents
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
begin
  perform private.require_service();

  return query
  select (d.signed_in_at at time zone v_building.time_zone)::date as day
    from identity.documents d
   where d.account_id = signed_in_elsewhere.account_id
     and d.model = 'Grant'
     and d.expires_at > clock_timestamp()
     and d.signed_in_at > clock_timestamp() - make_interval(days => v_building.session_days)
     and d.id_hash <> all (signed_in_elsewhere.kept_hashes)
   order by day desc;
end;
$$;

comment on function identity.signed_in_elsewhere is
  'The days on which a person signed in in other browsers, where they still are, newest first.';
grant execute on function identity.signed_in_elsewhere to parking_api;
