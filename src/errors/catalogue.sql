/* The rules that the current role can break, and the message of a 404 for each table. */
with rules as (
  select r.name, r."table", r.status, r.message, r.translations, r.field, r.verbs, r.columns,
         exists (
           select
             from unnest(r.columns) as c (name)
            where has_column_privilege(
              to_regclass('parking.' || quote_ident(r."table")), c.name, 'insert')
         ) as insertable
    from private.rules r
)
select coalesce((select json_agg(r order by r."table", r.name) from rules r), '[]') as list,
       coalesce(
         (select json_object_agg(a."table", a.message order by a."table") from private.absences a),
         '{}'
       ) as absences;
