create or replace function private.offered_window(wish parking.wishes)
  returns setof parking.availabilities
  language sql
  stable
  security invoker
as $$
  select a.*
    from parking.availabilities a
   cross join lateral private.fitting_wishes(a) f
   where a.id = (offered_window.wish).availability_id
     and f.id = (offered_window.wish).id
$$;

comment on function private.offered_window is
  'The window that a resident was told of, while it fits their wish.';
