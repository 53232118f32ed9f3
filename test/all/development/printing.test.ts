import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { type Person, people } from "../../../src/development/people.ts";
import { locationOf } from "../../support/browser.ts";
import { startIdentityService } from "../../support/identity-service.ts";
import { webApp } from "../../support/web-app.ts";

const { maria } = people;
const methods = ["log", "info", "warn", "error"] as const;
const log = jest.fn();

beforeEach(() => {
  for (const method of methods) jest.spyOn(console, method).mockImplementation(log);
});

afterEach(() => {
  jest.restoreAllMocks();
  log.mockReset();
});

/** This test comes first: the provider prints each notice once in a process. */
describe("the provider", () => {
  it("prints nothing of its own", async () => {
    const service = await startIdentityService();
    const app = webApp(service.issuer);
    await app.tokensOf(maria.email);
    await app.browser.get(`${service.issuer}/session/end`);
    await app.browser.get(`${service.issuer}/session/end/success`);
    await app.authorize({ client_id: "unknown" });
    await fetch(`${service.issuer}/token`, {
      method: "POST",
      headers: { origin: "http://localhost:5173" },
      body: new URLSearchParams({ client_id: "parking-docs" }),
    });
    await service.stop();
    expect(log).not.toHaveBeenCalled();
  });
});

describe("the cause of a failure", () => {
  it("goes only to the log on the sign-in page", async () => {
    const failing: Person = {
      ...maria,
      get fullName(): string {
        throw new Error("private matter");
      },
    };
    const other = await startIdentityService({ residents: [failing] });
    const app = webApp(other.issuer);
    const response = await app.browser.get(locationOf(await app.authorize()));
    await other.stop();
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toMatch("text/html");
    expect(await response.text()).not.toContain("private matter");
    expect(log.mock.calls.join()).toContain("private matter");
  });

  it("goes only to the log in the provider", async () => {
    let isFailing = false;
    const failing: Person = {
      ...maria,
      get email(): string {
        if (isFailing) throw new Error("private matter");
        return "maria@demo.example";
      },
    };
    const other = await startIdentityService({ residents: [failing] });
    const app = webApp(other.issuer);
    const { searchParams } = await app.signIn("maria@demo.example");
    isFailing = true;
    const response = await app.exchange(searchParams.get("code"));
    await other.stop();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("private matter");
    expect(log.mock.calls.join()).toContain("private matter");
  });
});
