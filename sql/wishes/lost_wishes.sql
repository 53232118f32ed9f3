create or replace function private.lost_wishes()
  returns setof parking.wishes
  language sql
  stable
  security invoker
as $$
  select w.*
    from parking.wishes w
   where w.claim_id is null
     and w.start_time > now()
     and w.availability_id is not null
     and not exists (
       select
         from parking.availabilities a
        cross join lateral private.fitting_wishes(a) f
        where a.id = w.availability_id
          and f.id = w.id
     )
$$;

comment on function private.lost_wishes is
  'The open wishes whose residents were told of a window that does not fit any more.';
