/* Other residents do not see a claim, but the answer to a change of it is 403 and not 404. */
create or replace function private.claim_exists(id uuid)
  returns boolean
  language sql
  stable
  security definer -- reads past the policies, and returns only whether the row exists
  set search_path = ''
return exists (
  select from parking.claims c
   where c.id = claim_exists.id
     and (select private.is_approved())
);

comment on function private.claim_exists is
  'Whether there is a claim with this id, visible to the caller or not. False where the caller is not approved.';
grant execute on function private.claim_exists to parking_api;

/* For the list of claims: under row-level security no index finds what a function makes of a column. */
create or replace function private.claims_of_vehicle(vehicle text)
  returns uuid[]
  language sql
  stable
  security definer -- reads past the policies what they show: own claims, those on own spots, all for administrators
  set search_path = ''
return array(
  select c.id
    from parking.claims c
   where c.vehicle is not null
     and private.plate(c.vehicle) = private.plate(claims_of_vehicle.vehicle)
     and (select private.is_approved())
     and (
       c.claimer_id = (select private.caller_id())
       or c.owner_id = (select private.caller_id())
       or (select private.is_administrator())
     )
);

comment on function private.claims_of_vehicle is
  'The claims for a vehicle that the caller sees, however its plate is written.';
grant execute on function private.claims_of_vehicle to parking_api;

/*
 * The same as private.open_since, for administrators, who see all claims. Other residents have few claims and an
 * index of their own, and must not learn about the claims of neighbours.
 */
create or replace function private.claims_open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return case
  when private.is_administrator() then least(
    claims_open_since.moment - interval '24 hours',
    (
      select min(o.start_time)
        from (
          select c.start_time
            from parking.claims c
           where tstzrange(c.start_time, c.end_time) @> claims_open_since.moment
             and c.end_time - c.start_time >= interval '1 day' -- as in the index
          offset 0 -- else PostgreSQL reads all claims by start until it finds one that is open
        ) o
    )
  )
  else '-infinity'
end;

comment on function private.claims_open_since is
  'For administrators: no claim that ends after the moment and has begun starts before this. For others it says nothing.';
grant execute on function private.claims_open_since to parking_api;

/* Administrators see every claim: theirs are summed from counts of days. Others have few, which an index alone answers. */
create or replace function private.total_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- counts past the policies what they show: they would be asked again for each of the two counts
  set search_path = ''
as $$
declare
  v_active constant integer := (coalesce(total_claims.status, 'active') = 'active')::integer;
  v_completed constant integer := (coalesce(total_claims.status, 'completed') = 'completed')::integer;
  v_cancelled constant integer := (coalesce(total_claims.status, 'cancelled') = 'cancelled')::integer;
  v_start_midnight constant timestamptz := date_trunc('day', total_claims.start_date, 'UTC');
  v_end_midnight constant timestamptz := date_trunc('day', total_claims.end_date, 'UTC');
  v_caller_id constant uuid := private.caller_id();
  v_total bigint;
begin
  if not private.is_approved() or total_claims.start_date >= total_claims.end_date then
    return 0;
  end if;

  -- Nobody claims their own spot, so each claim is in one of the two: an index has all of each.
  if not private.is_administrator() then
    return (
      select count(*)
        from parking.claims c
       where c.claimer_id = v_caller_id
         and c.status = coalesce(total_claims.status, c.status)
         and c.start_time >= coalesce(total_claims.start_date, '-infinity')
         and c.start_time < coalesce(total_claims.end_date, 'infinity')
         and c.end_time < coalesce(total_claims.end_date, 'infinity')
    ) + (
      select count(*)
        from parking.claims c
       where c.owner_id = v_caller_id
         and c.status = coalesce(total_claims.status, c.status)
         and c.start_time >= coalesce(total_claims.start_date, '-infinity')
         and c.start_time < coalesce(total_claims.end_date, 'infinity')
         and c.end_time < coalesce(total_claims.end_date, 'infinity')
    );
  end if;

  if total_claims.end_date - total_claims.start_date < interval '1 day' then
    return (
      select count(*)
        from parking.claims c
       where c.start_time >= total_claims.start_date
         and c.start_time < total_claims.end_date
         and c.end_time < total_claims.end_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  -- See private.total_availabilities.
  select coalesce(sum(
           v_active * c.active_ended + v_completed * c.completed_ended + v_cancelled * c.cancelled_ended
         ) filter (where v_end_midnight is null or c.day < private.utc_day(v_end_midnight)), 0)
       - coalesce(sum(
           v_active * c.active_started + v_completed * c.completed_started + v_cancelled * c.cancelled_started
         ) filter (where c.day < private.utc_day(v_start_midnight)), 0)
    into v_total
    from private.day_counts c;

  if v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.claims c
       where c.end_time >= v_end_midnight
         and c.end_time < total_claims.end_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  if v_start_midnight is not null then
    v_total := v_total - (
      select count(*)
        from parking.claims c
       where c.start_time >= v_start_midnight
         and c.start_time < total_claims.start_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;

  if v_start_midnight is not null and v_end_midnight is not null then
    v_total := v_total + (
      select count(*)
        from parking.claims c
       where tstzrange(c.start_time, c.end_time)
               @> tstzrange(total_claims.start_date, total_claims.end_date)
         and c.end_time - c.start_time >= interval '1 day' -- as in the index
         and c.start_time < total_claims.start_date
         and c.status = coalesce(total_claims.status, c.status)
    );
  end if;
  return v_total;
end;
$$;

comment on function private.total_claims is
  'How many claims the caller sees, with these filters of GET /claims; exact.';
grant execute on function private.total_claims to parking_api;

create or replace function api.count_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
return private.total_claims(count_claims.status, count_claims.start_date, count_claims.end_date);

comment on function api.count_claims is
  'How many claims you made and how many are on your spots (administrators: all); exact, and as fast with millions of them';
grant execute on function api.count_claims to parking_api;

create or replace function api.get_claim(id uuid)
  returns setof parking.claims
  language sql
  stable
  rows 1
as $$
  select c.*
    from parking.claims c
   where c.id = get_claim.id
$$;

comment on function api.get_claim is
  'One claim, for its parties and administrators';
grant execute on function api.get_claim to parking_api;

/*
 * A claim is in one of three parts: an index has each of them in the order of the list, and none has
 * all, because the policy has a branch for administrators, which says nothing about the row. With
 * 200,000 claims a page takes a resident 50 ms from all, and 1 ms from the parts.
 */
create or replace function api.list_claims(part text default null)
  returns setof parking.claims
  language sql
  stable
as $$
  select c.*
    from parking.claims c
   where case list_claims.part
           when 'made' then
             c.claimer_id = (select private.caller_id())
           when 'received' then
             c.owner_id = (select private.caller_id())
             and c.claimer_id <> (select private.caller_id())
           when 'of others' then
             (select private.is_administrator())
             and c.owner_id <> (select private.caller_id())
             and c.claimer_id <> (select private.caller_id())
           else list_claims.part is null
         end
$$;

comment on function api.list_claims is
  'The claims you made and those on your spots (administrators: all), latest start first';
grant execute on function api.list_claims to parking_api;
