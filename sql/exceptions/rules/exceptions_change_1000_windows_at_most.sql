create or replace function private.enforce_few_windows()
  returns trigger
  language plpgsql
  security definer -- reads the limits past the policies
  set search_path = ''
as $$
begin
  if (
    select sum(
             case new.kind
               when 'keep' then (
                 select count(*)
                   from parking.availabilities a
                  where a.spot_id = s.id
                    and a.start_time < new.end_time
                    and a.end_time > greatest(new.start_time, clock_timestamp())
               )
               else ceil(
                 extract(epoch from new.end_time - new.start_time)
                 / (86400 * coalesce((private.limits_of(s.id)).longest_window_days, 1000))
               )
             end
           )
      from parking.spots s
     where s.owner_id = new.owner_id
       and s.retired_at is null
       and s.id = coalesce(new.spot_id, s.id)
  ) > tg_argv[0]::integer then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

create or replace trigger exceptions_change_1000_windows_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_windows('1000');

comment on trigger exceptions_change_1000_windows_at_most on parking.exceptions is
  E'@status 409\n@de Das ändert mehr als 1000 geteilte Zeiten auf einmal. Wählen Sie einen kürzeren Zeitraum oder einen Stellplatz.\nThe exception would change more than 1000 windows: choose a shorter time or one spot';
