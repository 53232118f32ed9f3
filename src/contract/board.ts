import { Availability } from "./availabilities.ts";
import { Claim } from "./claims.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const boardRoutes: readonly Route[] = [
  routesFor("approved").get("/board", "board_windows", {
    query: schema.parameters(
      {
        from: field.date("What ends later is on the board.", "2030-01-01"),
        until: field.date("What starts earlier is on the board.", "2030-01-08"),
      },
      ["from", "until"],
    ),
    answer: schema.answer("All at once, by start.", {
      availabilities: schema.list("Windows that touch the period.", Availability, schema.MOST_ROWS),
      claims: schema.list(
        "Claims that touch the period: those that you made and those on your spots; for administrators, all.",
        Claim,
        schema.MOST_ROWS,
      ),
    }),
    otherCalls: { claims: "board_claims" },
    sharesQuery: true,
  }),
];
