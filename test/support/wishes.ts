import type { Building } from "./building.ts";
import { hours } from "./building.ts";
import type { Person } from "./person.ts";
import { writePastRules } from "./rows.ts";

export interface Wish {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly building_section: string | null;
  readonly spot_id: string | null;
  readonly claim_id?: string;
  readonly availability_id?: string;
  readonly offered_from?: string;
  readonly offered_until?: string;
}

/** Where a spot is wished for. */
interface Place {
  readonly building_section?: string;
  readonly spot_id?: string;
}

/** Wishes for a spot, from and to these hours from now. */
export async function wishOf(person: Person, from = 2, to = 4, place: Place = {}): Promise<Wish> {
  const { body } = await person.post<{ wish: Wish }>(
    "/wishes",
    { start_time: hours(from), end_time: hours(to), ...place },
    201,
  );
  return body.wish;
}

/** The wish as the person sees it now. */
export const seen = async (person: Person, { id }: Wish): Promise<Wish> =>
  (await person.get<{ wish: Wish }>(`/wishes/${id}`, 200)).body.wish;

export interface Told {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly availability_id: string | null;
  readonly is_read: boolean;
  readonly resolved_at: string | null;
  readonly data?: object;
}

/** What the person was told of windows that fit. */
export const toldTo = async (person: Person): Promise<readonly Told[]> => {
  const path = "/notifications?limit=200";
  const { notifications } = (await person.get<{ notifications: Told[] }>(path, 200)).body;
  return notifications.filter(({ kind }) => kind === "wish.fits");
};

/** Lets time pass: wishes, their offers, and what became free are so many minutes older. */
export async function letPass(building: Building, minutes: number): Promise<void> {
  const columns = {
    wishes: ["offered_from", "offered_until", "created_at", "updated_at"],
    availabilities: ["free_since"],
  };
  for (const [table, names] of Object.entries(columns)) {
    const earlier = names.map((name) => `${name} = ${name} - make_interval(mins => $1)`);
    await writePastRules(building, `update parking.${table} set ${earlier}`, [minutes]);
  }
}

/** Runs the job that tells those who wait. */
export const tellWaiting = ({ service }: Building) =>
  service.pool.query("select private.tell_waiting()");
