import { beforeAll, describe, expect, it } from "@jest/globals";
import { getIntrospectionQuery } from "graphql";
import { serverAudits } from "graphql-http";
import { openBuilding, spotOf, useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";
import { ask, type GraphQLBody, send } from "./ask.ts";

const building = useBuilding();
const resident = building.shared("resident");
beforeAll(async () => {
  await spotOf(resident);
});

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  requestJson<GraphQLBody<unknown>>(building.service.origin, "POST", "/api/graphql", {
    token: resident.token,
    body,
    headers,
  });

const failed = (status: number, code: string) => ({
  status,
  body: { errors: [{ message: expect.any(String), extensions: { code, status } }] },
});

describe("GraphQL over HTTP", () => {
  it("passes the audit of its specification", async () => {
    const audits = serverAudits({
      url: `${building.service.origin}/api/graphql`,
      fetchFn: (url: string, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set("Authorization", `Bearer ${resident.token}`);
        return fetch(url, { ...init, headers });
      },
    });
    const results = [];
    for (const audit of audits) results.push(await audit.fn());

    expect(results.length).toBeGreaterThan(50);
    expect(results.filter(({ status }) => status === "error")).toEqual([]);
  });

  it("needs a token, as REST does", async () => {
    const answer = await requestJson(building.service.origin, "POST", "/api/graphql", {
      body: { query: "{ __typename }" },
    });

    expect(answer).toMatchObject(failed(401, "authentication_required"));
    expect(answer.headers.get("X-Error-Code")).toBe("authentication_required");
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("is not served to GET", async () => {
    const path = "/api/graphql?query={__typename}";
    const { token } = resident;

    expect(await requestJson(building.service.origin, "GET", path, { token })).toMatchObject(
      failed(405, "method_not_allowed"),
    );
  });

  it("refuses in its own shape, and in the media type that the client takes", async () => {
    const type = "application/graphql-response+json";
    const answer = await post({}, { Accept: type });

    expect(answer.headers.get("Content-Type")).toBe(`${type}; charset=utf-8`);
    expect(answer).toMatchObject(failed(400, "validation_failed"));
  });

  it("reads what the client takes after the token only", async () => {
    const answer = await fetch(`${building.service.origin}/api/graphql`, {
      method: "POST",
      headers: { Accept: "application/graphql-response+json" },
    });

    expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toMatchObject(failed(401, "authentication_required").body);
  });

  it("says in its own shape that the identity provider cannot be asked, and when to try again", async () => {
    const closed = await openBuilding();
    const { token } = await closed.newcomer();
    await closed.service.issuer.close();
    const answer = await requestJson(closed.service.origin, "POST", "/api/graphql", {
      token,
      body: { query: "{ __typename }" },
    });
    await closed.close();

    expect(answer).toMatchObject(failed(503, "service_unavailable"));
    expect(answer.headers.get("Retry-After")).toBe("5");
  });

  it.each<[what: string, body: unknown, status: number, code: string]>([
    ["no JSON", "{", 400, "invalid_json"],
    ["no query", {}, 400, "validation_failed"],
    ["a batch", [{ query: "{ __typename }" }], 400, "validation_failed"],
    ["a document with an error", { query: "{ spots(" }, 400, "invalid_document"],
    ["an unknown field", { query: "{ secrets }" }, 400, "invalid_document"],
    [
      "an unknown operation",
      { query: "{ __typename }", operationName: "X" },
      400,
      "invalid_document",
    ],
    [
      "a UUID without hyphens",
      { query: `{ spot(id: "${"0".repeat(32)}") { id } }` },
      400,
      "invalid_document",
    ],
    [
      "an invalid time",
      { query: '{ claims(condition: { startDate: "now" }) { totalCount } }' },
      400,
      "invalid_document",
    ],
    ["a subscription", { query: "subscription { __typename }" }, 400, "invalid_document"],
    ["variables in a list", { query: "{ __typename }", variables: [] }, 400, "validation_failed"],
    [
      "100 kB and more",
      { query: `{ __typename } # ${"x".repeat(102_400)}` },
      413,
      "body_too_large",
    ],
  ])("refuses %s", async (_what, body, status, code) => {
    expect(await post(body)).toMatchObject(failed(status, code));
  });

  it("refuses a content type other than JSON", async () => {
    const type = { "Content-Type": "application/graphql" };

    expect(await post("{ __typename }", type)).toMatchObject(failed(415, "unsupported_media_type"));
  });

  it.each([[[1]], [{}], [{ toString: 1 }], [[[]]]])(
    "takes %j in an id or a cursor for invalid data",
    async (value) => {
      const encoded = (parts: readonly unknown[]) =>
        Buffer.from(JSON.stringify(parts)).toString("base64");
      const { spots } = await ask<{ spots: { edges: readonly { cursor: string }[] } }>(
        building,
        resident,
        "{ spots(first: 1) { edges { cursor } } }",
      );
      const [digest] = JSON.parse(Buffer.from(spots.edges[0]?.cursor ?? "", "base64").toString());
      const document = `query ($id: ID!, $after: Cursor!) {
        node(nodeId: $id) { nodeId } spots(after: $after) { nodes { id } }
      }`;
      const variables = { id: encoded(["Spot", value]), after: encoded([digest, "A", value]) };
      const { body } = await send(building, resident, document, variables);

      expect(body.errors).toHaveLength(2);
      for (const { extensions } of body.errors ?? [])
        expect(extensions).toMatchObject({ code: "invalid_data", status: 400 });
    },
  );

  it("reports an invalid cursor at its field", async () => {
    const document = '{ spots(after: "x") { nodes { id } } ownProfile { id } }';

    expect(await send(building, resident, document)).toMatchObject({
      status: 200,
      body: {
        data: { spots: null, ownProfile: { id: resident.id } },
        errors: [{ path: ["spots"], extensions: { code: "invalid_document", status: 400 } }],
      },
    });
  });
});

it("an unexpected error does not show PostgreSQL's message", async () => {
  await building.rows("alter table parking.notifications rename column message to message_");

  const { status, body } = await send(
    building,
    resident,
    "{ notifications { nodes { message } } }",
  );

  await building.rows("alter table parking.notifications rename column message_ to message");
  expect(status).toBe(200);
  expect(body.errors).toMatchObject([
    {
      message: "Internal server error",
      path: ["notifications"],
      extensions: { code: "internal_error", status: 500 },
    },
  ]);
});

describe("the schema", () => {
  it("can be read by tools in development", async () => {
    const { body } = await send(building, resident, getIntrospectionQuery());

    expect(body).toMatchObject({ data: { __schema: { queryType: { name: "Query" } } } });
  });

  it("cannot be read where introspection is off", async () => {
    const closed = await openBuilding({ graphql: { introspection: false } });
    const person = await closed.resident();

    const answer = await send(closed, person, "{ __schema { __typename } }");
    expect(answer).toMatchObject(failed(400, "invalid_document"));
    const { body } = await send(closed, person, "{ spotz { id } }");
    expect(body.errors?.[0]?.message).toBe('Cannot query field "spotz" on type "Query".');
    expect(await ask(closed, person, "{ __typename }")).toEqual({ __typename: "Query" });
    await closed.close();
  });
});
