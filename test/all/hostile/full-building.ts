import { withClient } from "../../../src/database/client.ts";
import type { Building } from "../../support/building.ts";

/**
 * Fills a building with spots, windows and claims, and with the longest texts that are allowed. The
 * resident owns some of the spots and made many of the claims.
 *
 * @returns ids of rows
 */
export const fillBuilding = (
  { database }: Building,
  residentId: string,
  spots: number,
): Promise<readonly string[]> =>
  withClient(database.url("postgres"), async (superuser) => {
    await superuser.query(`
      set session_replication_role = replica; -- no triggers: the rules are not what is measured

      insert into private.users (id, email)
      select gen_random_uuid(), 'p' || i || '@hostile.example' from generate_series(1, ${spots}) i;

      insert into parking.profiles (id, email, apartment_number, full_name, is_approved)
      select id, email, '1A', repeat('🅿', 200), true from private.users
      on conflict do nothing;

      insert into parking.spots (spot_number, owner_id, building_section)
      select 'H-' || row_number() over (), case when random() < 0.1 then '${residentId}' else id end,
             repeat('🅿', 98) || lpad((random() * 20)::integer::text, 2, '0')
        from parking.profiles;

      insert into parking.availabilities (spot_id, owner_id, start_time, end_time, is_claimed)
      select s.id, s.owner_id, now() + make_interval(hours => 5 * n),
             now() + make_interval(hours => 5 * n + 4), n % 10 > 0
        from parking.spots s, generate_series(1, 20) n;

      insert into parking.claims
        (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, status, takes)
      select a.id, a.spot_id, a.owner_id, '${residentId}', a.start_time, a.end_time,
             (array['active', 'completed', 'cancelled'])[1 + abs(hashtext(a.id::text)) % 3],
             a.during
        from parking.availabilities a
       where a.is_claimed and a.owner_id <> '${residentId}';

      insert into parking.notifications (recipient_id, kind, message, claim_id)
      select '${residentId}', 'claim.submitted', repeat('🅿', 200), c.id
        from parking.claims c limit 1000;`);
    await superuser.query("analyze");
    const { rows } = await superuser.query<{ id: string }>(
      "(select id from parking.spots limit 20) union all (select id from parking.claims limit 20)",
    );
    return rows.map(({ id }) => id);
  });
