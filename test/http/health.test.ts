import { describe, expect, it } from "@jest/globals";
import packageJson from "../../package.json" with { type: "json" };
import { createWatchers } from "../../src/http/health.ts";
import { commit } from "../../src/version.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding();

const ask = (method: string, path: string, options = {}) =>
  requestJson(building.service.origin, method, path, options);

describe.each(["/livez", "/readyz"])("%s", (path) => {
  it.each(["GET", "HEAD"])("answers %s without a token", async (method) => {
    const { status, body } = await ask(method, path);
    expect([status, body]).toMatchObject([200, method === "GET" ? { status: "ok" } : undefined]);
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

it("the version is at /livez, and the same in the description of the API", async () => {
  const { version } = packageJson;
  expect((await ask("GET", "/livez")).body).toEqual({ status: "ok", version, commit });
  const description = await ask("GET", "/api/openapi.json");
  expect(description.body).toMatchObject({ info: { version } });
});

describe("a stop", () => {
  it("is announced to those who ask for our health, before it begins", async () => {
    const watchers = createWatchers(50);
    expect(watchers.ask()).toBe(false);
    const announced = watchers.announceStop();
    expect(watchers.ask()).toBe(true);
    expect(await announced).toBe(50);
  });

  it("waits for nobody where nobody asks", async () => {
    expect(await createWatchers().announceStop()).toBe(0);
  });
});
