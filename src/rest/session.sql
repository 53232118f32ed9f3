/* What would make the answers of this role wrong. */
select current_user as role,
       exists (
         select
           from pg_catalog.pg_class
          where relnamespace = to_regnamespace('parking')
            and relrowsecurity
            and not row_security_active(oid)
       ) as "isExempt",
       (select message from pg_input_error_info('x', 'integer')) as message,
       current_setting('lc_messages') as language,
       now()::timestamptz(3)::text as time;
