/* A resident who claims twice at one moment: the second claim waits for the first, and counts it. */
-- Rows that nobody else can lock. The profile is no such row: two residents who claim each other's
-- spots lock each other's profiles (enforce_approved_owner), and would wait for each other.
create table if not exists private.claimers (
  id uuid,
  constraint claimers_pkey primary key (id)
);

comment on table private.claimers is
  'A row for each resident who claimed under the limit most_active_claims, to be locked.';
comment on column private.claimers.id is
  'The claimer.';

alter table private.claimers enable row level security;
-- No policy and no grant: only the trigger function writes it.

create or replace function private.enforce_most_claims()
  returns trigger
  language plpgsql
  security definer -- the API role has no access to the rows that are locked
  set search_path = ''
as $$
declare
  v_most constant integer := (private.limits_of(new.spot_id)).most_active_claims;
begin
  if v_most is null then
    return null; -- here, because a trigger's condition that is long costs each claim more
  end if;
  if new.end_time <= clock_timestamp() or (tg_op = 'UPDATE' and old.end_time > clock_timestamp()) then
    return null; -- over, or counted already
  end if;

  -- Written, not only locked: a transaction with a snapshot from before the other claim fails here.
  insert into private.claimers (id)
  values (new.claimer_id)
  on conflict (id) do update set id = excluded.id;

  -- First all of them, by an index alone.
  if (
    select count(*)
      from parking.claims c
     where c.claimer_id = new.claimer_id
       and c.status <> 'cancelled' -- a completed claim holds its window too
       and c.end_time > clock_timestamp()
  ) > v_most
    and private.claims_counted_with(new.spot_id, new.claimer_id) > v_most
  then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_most_claims is
  'Trigger function: refuses a claim to a resident who has as many as the building, or the section, allows.';
