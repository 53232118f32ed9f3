import type { Spot } from "./building.ts";
import type { Person } from "./person.ts";

export interface FavoriteSpot {
  readonly id: string;
  readonly spot_id: string;
  readonly created_at: string;
}

/** Gives a spot a star of this person. */
export const favoriteOf = async (person: Person, { id }: Pick<Spot, "id">): Promise<FavoriteSpot> =>
  (await person.post<{ favorite_spot: FavoriteSpot }>("/favorite-spots", { spot_id: id }, 201)).body
    .favorite_spot;
