/*
 * The one place that computes the free part of a window. It reads the rows, so it needs no record of earlier
 * changes. The caller has locked the window, or its spot.
 */
create or replace function private.set_free(windows parking.availabilities[])
  returns table (
    id uuid,
    start_time timestamptz,
    end_time timestamptz,
    windows_more integer,
    claimed_more integer
  )
  language sql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
  with anew as (
    select w.id,
           w.during,
           w.offered,
           f.free,
           t.claims > 0 and isempty(f.free) as is_claimed
      from unnest(set_free.windows) w
     cross join lateral (
       select count(*) as claims, range_agg(c.takes) as taken
         from parking.claims c
        where c.holds = w.id
     ) t
     cross join lateral (
       select coalesce(w.offered, tstzmultirange(w.during)) - coalesce(t.taken, '{}') as free
     ) f
  )
  update parking.availabilities a
     set offered = n.offered,
         is_claimed = n.is_claimed,
         free = case
           when n.free <> tstzmultirange(n.during) and not n.is_claimed
             then private.spans(n.free)
         end,
         free_since = case
           when n.free <@ private.free_times(a) then a.free_since
           else clock_timestamp()
         end
    from anew n
   where a.id = n.id
     and (
       a.offered is distinct from n.offered
       or n.free <> private.free_times(a)
       or a.is_claimed <> n.is_claimed
     )
  returning a.id,
            a.start_time,
            a.end_time,
            old.is_hidden::integer - new.is_hidden::integer,
            new.is_claimed::integer - old.is_claimed::integer
$$;

comment on function private.set_free is
  'Sets anew what is free of these windows, whose column "offered" says what is offered of them. Returns what that changes of the counts of days.';
