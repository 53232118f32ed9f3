/*
 * Anybody who opens the page writes a sign-in, so each new one deletes two that have ended: the table does not
 * grow between two runs of the job.
 */
create or replace function identity.prune(most integer)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the tables
  set search_path = ''
as $$
declare
  v_days constant integer := (private.building()).session_days;
  v_rows integer;
  v_pruned integer;
begin
  perform private.require_service();

  -- A request that is under way would store a document anew whose row is gone, also one that was ended.
  delete from identity.documents d
   where (d.id_hash, d.model) in (
     select e.id_hash, e.model
       from identity.documents e
      where e.expires_at < clock_timestamp() - interval '1 minute'
      order by e.expires_at
      limit prune.most
        for update skip locked
   );
  get diagnostics v_pruned = row_count;

  delete from identity.documents d
   where (d.id_hash, d.model) in (
     select e.id_hash, e.model
       from identity.documents e
      where e.signed_in_at < clock_timestamp() - make_interval(days => v_days)
      order by e.signed_in_at
      limit prune.most
        for update skip locked
   );
  get diagnostics v_rows = row_count;
  v_pruned := greatest(v_pruned, v_rows);

  delete from identity.codes c
   where c.interaction_hash in (
     select e.interaction_hash
       from identity.codes e
      where e.expires_at < clock_timestamp()
      order by e.expires_at
      limit prune.most
        for update skip locked
   );
  get diagnostics v_rows = row_count;
  v_pruned := greatest(v_pruned, v_rows);

  delete from identity.challenges c
   where c.holder_hash in (
     select e.holder_hash
       from identity.challenges e
      where e.expires_at < clock_timestamp()
      order by e.expires_at
      limit prune.most
        for update skip locked
   );
  get diagnostics v_rows = row_count;
  v_pruned := greatest(v_pruned, v_rows);

  -- Nobody is signed in for longer than a year, and who never registered has nothing here but an address.
  delete from identity.accounts a
   where a.id in (
     select e.id
       from identity.accounts e
      where e.signed_in_at < clock_timestamp() - interval '366 days'
        and not exists (
          select
            from private.users u
           where u.id = e.id
        )
      order by e.signed_in_at
      limit prune.most
        for update skip locked
   );
  get diagnostics v_rows = row_count;
  return greatest(v_pruned, v_rows);
end;
$$;

comment on function identity.prune is
  'Deletes what has ended, at most so many rows of each table, and returns how many of the table with the most.';
