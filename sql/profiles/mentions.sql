/*
 * Nobody changes what others wrote: a word may be a name and also something else. A human decides where a whole
 * name still stands. It reads every table, so that none is forgotten. A long log takes a while; nothing waits.
 */
create or replace function private.mentions(texts text[])
  returns table ("table" text, id text, "column" text, value text)
  language plpgsql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_table regclass;
  v_texts constant text[] := array(
    select '%' || regexp_replace(private.folded(t.value), '([%_])', '\\\1', 'g') || '%'
      from unnest(mentions.texts) t (value)
     where private.folded(t.value) <> ''
  );
begin
  for v_table in
    select c.oid
      from pg_catalog.pg_class c
     where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
       and c.relkind = 'r'
     order by c.oid::regclass::text
  loop
    return query execute format(
      $query$
        select %L::text, coalesce(t.row ->> 'id', t.row ->> 'spot_id'), v.key, v.value
          from (
            select to_jsonb(o) as row
              from only %s o
             where private.folded(o::text) like any ($1)
          ) t
         cross join lateral jsonb_each_text(t.row) v
         where private.folded(v.value) like any ($1)
         order by 2, 3
      $query$,
      v_table, v_table
    ) using v_texts;
  end loop;
end;
$$;

comment on function private.mentions is
  'Where one of these texts stands, in any table and whatever its case and form. For the owner of the database (npm run erase).';

/* Most of what stands in a database is ASCII, of which this is a tenth of the work. */
create or replace function private.folded(value text)
  returns text
  language sql
  immutable
  parallel safe
return translate(
  case
    when octet_length(value) = char_length(value) then lower(value)
    else casefold(normalize(value, nfkc) collate pg_unicode_fast) collate "default"
  end,
  '"\', '' -- rows and JSON double these
);

comment on function private.folded is
  'A text for private.mentions: without case, compatibility forms (NFKC), quotes and backslashes.';

create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
return array(
  select distinct n.value
    from (
      select p.id as subject_id, to_jsonb(p) as data from parking.profiles p
      union all
      select e.subject_id, e.data from private.events e where e.type like 'profile.%'
    ) known
   cross join lateral (values (known.data ->> 'full_name'), (known.data ->> 'email')) n (value)
   where known.subject_id = names_of.id
     and n.value <> ''
     and n.value <> names_of.id || '@erased.invalid' -- by private.erase_person
);

comment on function private.names_of is
  'The whole names and the addresses that a person has or had.';
