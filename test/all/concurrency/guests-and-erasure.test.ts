import { expect, it } from "@jest/globals";
import { withTransaction } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import { type Holding, holding, offer, spotOf } from "../../support/building.ts";

const arena = useArena(2);

/** What a person does, in a transaction that the erasure of the person meets. */
const acts: Readonly<
  Record<string, (claimed: Holding) => Promise<[string, Readonly<Record<string, string>>]>>
> = {
  "changes a guest": async ({ claim }) => ["update_claim", { id: claim.id, guest: "Zebedee" }],
  "claims for a guest": async () => {
    const { window } = await offer(arena);
    const { id: availability_id, start_time, end_time } = window;
    return ["create_claim", { availability_id, start_time, end_time, vehicle: "Zebedee" }];
  },
  "names the usual plate": async () => ["update_profile", { vehicle: "Zebedee" }],
  "describes a new spot": async () => [
    "create_spot",
    { spot_number: "Z 1", building_section: "A", notes: "Zebedee" },
  ],
  "describes a spot": async ({ claimer }) => {
    const { id } = await spotOf(claimer);
    return ["update_spot", { id, notes: "Zebedee" }];
  },
  "says how to get to a spot": async ({ claimer }) => {
    const { id } = await spotOf(claimer);
    return ["update_spot_access", { id, access_notes: "Zebedee" }];
  },
  "reports a car": async ({ claimer }) => {
    const { id: spot_id } = await spotOf(claimer);
    return ["create_spot_report", { spot_id, note: "Zebedee" }];
  },
};

const traces = () =>
  arena.rows(
    `select 'claim' from parking.claims c where concat(c.guest, c.vehicle) ~ 'Zebedee'
     union all select 'profile' from parking.profiles p where p.vehicle ~ 'Zebedee'
     union all select 'spot' from parking.spots s where s.notes ~ 'Zebedee'
     union all select 'access' from parking.spot_access a where a.access_notes ~ 'Zebedee'
     union all select 'report' from parking.spot_reports r where r.note ~ 'Zebedee'
     union all select e.type from private.events e where e.data::text ~ 'Zebedee'`,
  );

it.each(Object.entries(acts))(
  "a person who is erased and %s meanwhile leaves no trace of it",
  async (_name, act) => {
    const administrator = await arena.administrator();
    const claimed = await holding(arena);
    const [operation, values] = await act(claimed);
    const path = `/admin/profiles/${claimed.claimer.id}?reason=Moved`;

    await withTransaction(arena, claimed.claimer, async (transaction) => {
      await transaction.call(operation, values);
      const erasure = administrator.delete(path, 200);
      await transaction.isWaitedFor();
      await transaction.end("commit");
      await erasure;
    });

    expect(await traces()).toEqual([]);
    expect(
      await claimed.claimer.sqlError("select api.update_profile(vehicle => 'Zebedee')"),
    ).toMatchObject({
      constraint: "profiles_erased_stay_erased",
    });
  },
);
