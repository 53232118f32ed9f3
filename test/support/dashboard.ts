/** The SQL that makes GET /dashboard run these statements instead of its own. */
export const dashboardThatRuns = (statements: string): string => `
  create or replace function api.get_dashboard(
    out total_spots bigint,
    out active_spots bigint,
    out total_claims bigint,
    out active_claims bigint
  )
    returns setof record
    language plpgsql
    volatile
  as $$ begin ${statements} end $$;`;
