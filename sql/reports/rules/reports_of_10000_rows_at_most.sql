-- A report is one answer, without pages: it must neither fill the memory of the service nor be cut off.
alter domain private.reports drop constraint if exists reports_of_10000_rows_at_most;
alter domain private.reports add constraint reports_of_10000_rows_at_most
  check ((value).number_of_rows <= 10000);

comment on constraint reports_of_10000_rows_at_most on domain private.reports is
  E'@de Das hat mehr als 10000 Zeilen. Wählen Sie einen kürzeren Zeitraum oder einen Bereich.\nThe report would have more than 10000 rows: choose a shorter period or one section';
