import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const FavoriteSpot = schema.row("FavoriteSpot", "favorite_spots", {
  id: field.id(),
  spot_id: field.id(),
  created_at: field.moment(),
});

const NewFavoriteSpot = schema.body("NewFavoriteSpot", "favorite_spots", { spot_id: field.id() }, [
  "spot_id",
]);
const FavoriteSpotFilter = schema.parameters({
  spot_id: field.id("Only the star of this spot."),
  ...schema.page,
});

const resident = routesFor("approved", { table: "favorite_spots", personal: true });
const answer = schema.underName({ favorite_spot: FavoriteSpot });

export const favoriteSpotRoutes: readonly Route[] = [
  resident.get("/favorite-spots", "list_favorite_spots", {
    query: FavoriteSpotFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("favorite_spots", FavoriteSpot),
  }),
  resident.post("/favorite-spots", "create_favorite_spot", { body: NewFavoriteSpot, answer }),
  resident.get("/favorite-spots/:id", "get_favorite_spot", { answer }),
  resident.remove("/favorite-spots/:id", "delete_favorite_spot", {
    answer: schema.deletionOf("favorite_spot", "Favorite spot removed successfully"),
  }),
];
