/* The numbers of a list are no key that an index could keep. Those who invite wait for each other (private.lock_administrators). */
create or replace function private.enforce_spot_is_invited_once()
  returns trigger
  language plpgsql
  security definer -- the policies would keep the index from being used
  set search_path = ''
  set enable_seqscan = off -- the plan is made while the table is small, and kept for a list of 500
as $$
begin
  if cardinality(new.spot_keys) > (select count(distinct k.key) from unnest(new.spot_keys) k (key))
    or exists (
      select from parking.invitations i
       where i.status = 'open'
         and i.spot_keys && new.spot_keys
         and i.id <> new.id
    )
  then
    perform private.refuse(tg_name, '23505');
  end if;
  return null;
end;
$$;

create or replace trigger invitations_spot_is_invited_once
  after insert on parking.invitations
  for each row
  when (new.spot_keys <> '{}')
  execute function private.enforce_spot_is_invited_once();

comment on trigger invitations_spot_is_invited_once on parking.invitations is
  E'@status 409\n@field spots\n@de Ein Stellplatz dieser Liste steht schon in einer Einladung.\nA parking spot can be in one open invitation, and once';
