/* An example of a building's own rules. */
--!include sample/enforce_two_active_claims.sql
--!include sample/claims_two_active_at_most.sql
