create or replace function api.create_calendar_feed(
    address text,
    inout language text default 'en',
    out url text,
    out created_at timestamptz
)
  language plpgsql
  set search_path = ''
as $$
declare
  v_secret constant text := private.base64url(private.new_secret());
  v_hash constant bytea := sha256(convert_to(v_secret, 'UTF8'));
begin
  perform private.require_approved();

  insert into parking.calendar_feeds as f (secret_hash, language)
  values (v_hash, create_calendar_feed.language)
  on conflict on constraint calendar_feeds_pkey do update
    set secret_hash = v_hash,
        language = create_calendar_feed.language
  returning f.created_at into created_at;

  url := create_calendar_feed.address || '/calendar-feed.ics?sig=' || v_secret;
end;
$$;

comment on function api.create_calendar_feed is
  'Make a secret address at which calendar apps read your calendar; the one before ends';
grant execute on function api.create_calendar_feed to parking_api;
