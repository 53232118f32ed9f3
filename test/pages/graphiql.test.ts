import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());

const get = (path: string) => fetch(building.service.origin + path);

describe("/graphiql", () => {
  it("names no other host than the service", async () => {
    const html = await (await get("/graphiql")).text();

    expect(html.match(/https?:\/\/[^\s"'<]+/g)).toBeNull();
  });

  it("may run its own scripts, and no others", async () => {
    const response = await get("/graphiql");
    const policy = response.headers.get("Content-Security-Policy");
    const html = await response.text();

    const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map((match) => match[1]);
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) {
      expect(policy).toContain(`'sha256-${hash("sha256", script ?? "", "base64")}'`);
    }
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
  });

  it("loads only files that exist", async () => {
    const html = await (await get("/graphiql")).text();
    const paths = html.match(/\/graphiql\/static\/[\w.]+/g) ?? [];

    expect(paths).toContain("/graphiql/static/ruru.js");
    for (const path of paths) expect(await get(path)).toMatchObject({ status: 200 });
  });

  it("has no other files", async () => {
    expect(await get("/graphiql/static/nothing.js")).toMatchObject({ status: 404 });
  });
});

it("is not there in production", async () => {
  const production = await openBuilding({ graphql: { graphiql: false } });

  expect(await fetch(`${production.service.origin}/graphiql`)).toMatchObject({ status: 404 });
  await production.close();
});
