import { describe, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { type FavoriteSpot, favoriteOf } from "../support/favorite-spots.ts";
import { opened } from "../support/opened.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
const owner = building.shared("resident");
const person = building.shared("resident");
const spot = opened(() => spotOf(owner));

const notFound = refusal(404, "Favorite spot not found");

describe("/favorite-spots", () => {
  it("POST answers with the star, which its own person reads, lists and takes away", async () => {
    const other = await favoriteOf(person, await spotOf(owner));
    const body = { spot_id: spot.id };
    const made = await person.post<{ favorite_spot: FavoriteSpot }>("/favorite-spots", body, 201);
    const favorite = made.body.favorite_spot;
    expect(formatsOf(favorite)).toEqual({ id: "uuid", spot_id: "uuid", created_at: "time" });
    expect(favorite).toMatchObject(body);
    const path = `/favorite-spots/${favorite.id}`;
    expect(made.headers.get("Location")).toBe(`/api${path}`);
    expect((await person.get(path, 200)).body).toEqual(made.body);

    const list = async (of: Person, query = "") =>
      (await of.get(`/favorite-spots${query}`, 200)).body;
    expect(await list(person)).toEqual({ favorite_spots: [favorite, other], total: 2 });
    expect(await list(person, `?spot_id=${spot.id}`)).toEqual({
      favorite_spots: [favorite],
      total: 1,
    });
    expect(answerOf(await person.delete(path))).toEqual({
      status: 200,
      body: {
        message: "Favorite spot removed successfully",
        deleted_favorite_spot_id: favorite.id,
      },
    });
    expect(answerOf(await person.delete(path))).toEqual(notFound);
    expect(await list(person)).toEqual({ favorite_spots: [other], total: 1 });
  });

  it("a second POST for the same spot answers with the first star", async () => {
    const first = await favoriteOf(person, spot);
    expect(await favoriteOf(person, spot)).toEqual(first);
  });
});
