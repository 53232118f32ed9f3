import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());

const ask = (method: string, path: string, options = {}) =>
  requestJson(building.service.origin, method, path, options);

describe.each(["/livez", "/readyz"])("%s", (path) => {
  it.each(["GET", "HEAD"])("answers %s without a token", async (method) => {
    expect(await ask(method, path)).toMatchObject({ status: 200 });
  });

  it("refuses another method, and lists the allowed ones in Allow", async () => {
    const answer = await ask("POST", path, { body: {} });

    expect(answerOf(answer)).toEqual(refusal(405, "Method not allowed"));
    expect(answer.headers.get("Allow")).toMatch(/GET/);
  });

  it("is not below the base path", async () => {
    const { token } = await building.newcomer();

    expect(answerOf(await ask("GET", `/api${path}`, { token }))).toEqual(refusal(404, "Not found"));
  });
});
