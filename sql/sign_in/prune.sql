/*
 * Anybody who opens the page writes a sign-in, so each new one deletes two that have ended: the table does not
 * grow between two runs of the job.
 */
create or replace function identity.prune(most integer)
  returns integer
  language plpgsql
  security definer -- the API role has no access to the tables
  set search_path = ''
as $body$
declare
  v_days constant integer := (private.building()).session_days;
  v_table text;
  v_condition text;
  v_rows integer;
  v_pruned integer := 0; -- of the table with the most
begin
  perform private.require_service();

  for v_table, v_condition in
    values -- A request that is under way would store a document anew whose row is gone, also one that was ended.
           ('documents', $$t.expires_at < clock_timestamp() - interval '1 minute'$$),
           ('documents', 't.signed_in_at < clock_timestamp() - make_interval(days => $2)'),
           ('codes', 't.expires_at < clock_timestamp()'),
           -- Nobody is signed in for longer than a year, and who never registered has nothing here but an address.
           (
             'accounts',
             $$t.signed_in_at < clock_timestamp() - interval '366 days'
               and not exists (select from private.users u where u.id = t.id)$$
           )
  loop
    execute format(
      $query$
        delete from identity.%1$I e
         where e.ctid = any (array(
           select t.ctid
             from identity.%1$I t
            where %2$s
            limit $1
              for update skip locked
         ))
      $query$,
      v_table, v_condition
    ) using prune.most, v_days;
    get diagnostics v_rows = row_count;
    v_pruned := greatest(v_pruned, v_rows);
  end loop;

  return v_pruned;
end;
$body$;

comment on function identity.prune is
  'Deletes what has ended, at most so many rows of each table, and returns how many of the table with the most.';
