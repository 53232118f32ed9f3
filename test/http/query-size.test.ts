import { expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding();

/** Parameters of the same name, which take Koa's parser longest. */
const queryOf = (parameters: number) => Array(parameters).fill("a").join("&");
const ask = (path: string, parameters: number) =>
  requestJson(building.service.origin, "GET", `${path}?${queryOf(parameters)}`);

it.each([
  "/",
  "/livez",
  "/docs",
  "/api/unsubscribe",
  "/api/calendar-feed.ics",
  "/api/claims",
  "/api/events",
  "/api/nowhere",
  "/nowhere",
])(
  "a query of more than a hundred parameters is refused before anybody reads it: %s",
  async (path) => {
    for (const parameters of [101, 7_000])
      expect(answerOf(await ask(path, parameters))).toEqual(
        refusal(400, "The query has more than 100 parameters"),
      );
  },
);

it("a query of a hundred parameters is read as any other", async () => {
  expect((await ask("/livez", 100)).status).toBe(200);
});
