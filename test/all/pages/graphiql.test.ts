import { afterAll, describe, expect, it } from "@jest/globals";
import Koa from "koa";
import { route } from "../../../src/http/router.ts";
import { graphiqlRoutes } from "../../../src/pages/graphiql.ts";
import { openBuilding } from "../../support/building.ts";
import { startServer } from "../../support/key-server.ts";

const signIn = { authorizationUrl: "/identity/auth", tokenUrl: "/identity/token" };
const service = await startServer(new Koa().use(route(graphiqlRoutes("/api", signIn))).callback());
afterAll(() => service.close());

const get = (path: string) => fetch(service.origin + path);

describe("/graphiql", () => {
  it("names no other host than the service", async () => {
    const html = await (await get("/graphiql")).text();

    expect(html.match(/https?:\/\/[^\s"'<]+/g)).toBeNull();
  });

  it("has its scripts in files, and may run no others", async () => {
    const response = await get("/graphiql");

    expect(await response.text()).not.toMatch(/\son\w+=|<script(?![^>]* src="\/[\w./-]+")/);
    expect(response.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
  });

  it("loads only files that exist", async () => {
    const html = await (await get("/graphiql")).text();
    const paths = html.match(/\/graphiql\/[\w./-]+/g) ?? [];

    expect(paths).toContain("/graphiql/static/ruru.js");
    for (const path of [...paths, "/graphiql/sign-in.js"]) {
      expect(await get(path)).toMatchObject({ status: 200 });
    }
  });

  it("has no other files", async () => {
    expect(await get("/graphiql/static/nothing.js")).toMatchObject({ status: 404 });
    expect(await get("/graphiql/index.html")).toMatchObject({ status: 404 });
  });
});

it("is not there where people sign in elsewhere", async () => {
  const production = await openBuilding();

  expect(await fetch(`${production.service.origin}/graphiql`)).toMatchObject({ status: 404 });
  await production.close();
});
