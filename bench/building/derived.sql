-- Fills the tables that triggers keep from others: fill.sql turns triggers off.
select private.recount();
