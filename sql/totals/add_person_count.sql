/* No writer waits for another: see private.add_day_counts. */
create or replace function private.add_person_count(person_id uuid, counted text, number bigint)
  returns void
  language plpgsql
  volatile
  set search_path = ''
as $$
begin
  update private.person_counts c
     set number = c.number + add_person_count.number
   where c.id = (
     select unlocked.id
       from private.person_counts unlocked
      where unlocked.person_id = add_person_count.person_id
        and unlocked.counted = add_person_count.counted
        -- At higher levels a row that changed since the snapshot would be an error. The second
        -- condition is true of a row that nobody has changed since it was written.
        and (
          current_setting('transaction_isolation') = 'read committed'
          or unlocked.xmax in ('0', unlocked.xmin)
        )
      limit 1
        for no key update skip locked
   );

  if not found then
    insert into private.person_counts (person_id, counted, number)
    values (add_person_count.person_id, add_person_count.counted, add_person_count.number);
  end if;
end;
$$;

comment on function private.add_person_count is
  'Adds to, or with a negative number takes from, a count of a person. For triggers.';
