import type { Building } from "./building.ts";
import { hours } from "./building.ts";
import type { Person } from "./person.ts";

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
export const readWish = async (person: Person, { id }: Wish): Promise<Wish> =>
  (await person.get<{ wish: Wish }>(`/wishes/${id}`, 200)).body.wish;

export interface Notified {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly availability_id: string | null;
  readonly is_read: boolean;
  readonly resolved_at: string | null;
  readonly data?: object;
}

/** What the person was told of windows that fit. */
export const offersTo = async (person: Person): Promise<readonly Notified[]> => {
  const path = "/notifications?limit=200";
  const { notifications } = (await person.get<{ notifications: Notified[] }>(path, 200)).body;
  return notifications.filter(({ kind }) => kind === "wish.fits");
};

/** What the job does: tells those who wait what became free, until nothing is left to tell. */
export async function tell({ service }: Pick<Building, "service">): Promise<void> {
  const step = () => service.pool.query<{ told: number }>("select private.tell_waiting() as told");
  while ((await step()).rows[0]?.told !== 0);
}

/** Lets time pass for all offers and windows: they begin and end so many minutes earlier. */
export async function passMinutes(
  building: Pick<Building, "rows">,
  minutes: number,
): Promise<void> {
  await building.rows(
    `update parking.wishes
        set offered_from = offered_from - make_interval(mins => $1),
            offered_until = offered_until - make_interval(mins => $1)
      where offered_until is not null`,
    [minutes],
  );
  // In the order in which everybody locks them.
  await building.rows(
    `with locked as materialized (
       select id from parking.availabilities order by spot_id, id for no key update
     )
     update parking.availabilities a
        set free_since = a.free_since - make_interval(mins => $1)
       from locked
      where a.id = locked.id`,
    [minutes],
  );
}
