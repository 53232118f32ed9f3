import { beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { answerOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { except } from "../support/exceptions.ts";
import { invitationTo, invite, invited, newAddress } from "../support/invitations.ts";
import { methodsAt } from "../support/methods.ts";
import { patternOf, threeDays } from "../support/patterns.ts";
import { type Person, requestJson } from "../support/person.ts";
import { reportOf } from "../support/spot-reports.ts";
import { webhookOf } from "../support/webhooks.ts";
import { wishOf } from "../support/wishes.ts";

const building = useBuilding();
let owner: Person;
let administrator: Person;
let spot: Spot;
let window: Window;
let claim: Claim;
let patternId: string;
let exceptionId: string;
let notificationId: string;
let wishId: string;
let invitationId: string;
let webhookId: string;
let reportId: string;
beforeAll(async () => {
  owner = await building.resident();
  administrator = await building.administrator();
  spot = await spotOf(owner);
  window = await windowOf(owner, spot);
  claim = await claimOf(administrator, await windowOf(owner, spot, 10, 20));
  patternId = (await patternOf(administrator, threeDays(await spotOf(administrator)))).id;
  exceptionId = (await except(administrator, "keep", null, 20, 25)).exception.id;
  const [notification] = await building.rows<{ id: string }>(
    `insert into parking.notifications (recipient_id, kind, message)
     values ($1, 'profile.approved', 'News') returning id`,
    [administrator.id],
  );
  notificationId = notification?.id ?? "";
  wishId = (await wishOf(administrator)).id;
  const email = newAddress();
  await invite(administrator, invited(email));
  invitationId = (await invitationTo(administrator, email)).id;
  webhookId = (await webhookOf(administrator)).id;
  reportId = (await reportOf(owner, spot)).id;
});

const notFound = refusal(404, "Not found");
const someId = "018f0000-0000-7000-8000-000000000000";

/** A request to any path of the service, with or without a token. */
const ask = (method: string, path: string, token?: string) =>
  requestJson(building.service.origin, method, path, { ...(token !== undefined && { token }) });

describe("an unknown path", () => {
  it.each([
    "/api",
    "/api/",
    "/api/nowhere",
    "/api/claims/",
    `/api/claims/${someId}/`,
    `/api/claims/${someId}/owner`,
    "/api//claims",
    "/api/Claims",
    "/api/%63laims",
    "/api/claims;limit=1",
  ])("is not found below the base path: %s", async (path) => {
    expect(answerOf(await ask("GET", path, owner.token))).toEqual(notFound);
  });

  it.each([
    "/",
    "/apix",
    "/apix/claims",
    "/API/claims",
    "//api/claims",
    "/claims",
    "/v1/api/claims",
  ])("is not found outside the base path, where no token is needed: %s", async (path) => {
    expect(answerOf(await ask("GET", path))).toEqual(notFound);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "PROPFIND"])(
    "is not found by %s either",
    async (method) => {
      expect(answerOf(await ask(method, "/api/nowhere", owner.token))).toEqual(notFound);
    },
  );

  it("is answered without a body for HEAD", async () => {
    expect(answerOf(await ask("HEAD", "/api/nowhere", owner.token))).toEqual({ status: 404 });
  });
});

/** What each path allows. */
const allowed = [...new Set(routes.map(({ path }) => path))].map((path): [string, string] => {
  const methods = methodsAt(path).flatMap((it) => (it === "GET" ? ["GET", "HEAD"] : [it]));
  return [path, methods.toSorted().join(", ")];
});

const allowOf = ({ headers }: { headers: Headers }) =>
  headers.get("Allow")?.split(", ").toSorted().join(", ");

describe("a wrong method", () => {
  it.each(allowed)("is refused at %s, which allows %s", async (path, methods) => {
    const wrong = ["PATCH", "POST", "PUT", "DELETE"].filter((name) => !methods.includes(name));

    for (const method of wrong) {
      const answer = await ask(method, `/api${path.replace(/:\w+/, someId)}`, owner.token);
      expect(answerOf(answer)).toEqual(refusal(405, "Method not allowed"));
      expect(allowOf(answer)).toBe(methods);
    }
  });

  it.each(["/livez", "/docs", "/api/openapi.json", "/api/unsubscribe"])(
    "is refused without a token at %s, which needs none",
    async (path) => {
      const answer = await ask("PUT", path);
      expect(answerOf(answer)).toEqual(refusal(405, "Method not allowed"));
      expect(allowOf(answer)).toMatch(/^GET, HEAD/);
      expect((await ask("OPTIONS", path)).status).toBe(200);
    },
  );

  it("is refused as well when it is uncommon", async () => {
    const answer = await ask("PROPFIND", "/api/claims", owner.token);

    expect(answerOf(answer)).toEqual(refusal(405, "Method not allowed"));
    expect(allowOf(answer)).toBe("GET, HEAD, POST");
  });
});

describe("HEAD", () => {
  const readable = routes
    .filter(({ method, stream, bySecret }) => method === "GET" && !stream && !bySecret)
    .map(({ path }) => path);
  const ids: Readonly<Record<string, () => string>> = {
    "/parking-spots/:id": () => spot.id,
    "/availabilities/:id": () => window.id,
    "/patterns/:id": () => patternId,
    "/exceptions/:id": () => exceptionId,
    "/claims/:id": () => claim.id,
    "/claims/:id/contacts": () => claim.id,
    "/parking-spots/:id/access": () => spot.id,
    "/notifications/:id": () => notificationId,
    "/wishes/:id": () => wishId,
    "/spot-reports/:id": () => reportId,
    "/admin/invitations/:id": () => invitationId,
    "/admin/profiles/:id": () => owner.id,
    "/admin/webhooks/:id": () => webhookId,
    "/admin/webhooks/:id/deliveries": () => webhookId,
    "/sections/:building_section": () => spot.building_section,
  };

  const periodOf = (path: string): string => {
    if (path.startsWith("/admin/reports")) return "?from=2026-01-01&until=2026-01-08";
    return path === "/board" ? `?from=${hours(0)}&until=${hours(24)}` : "";
  };

  it.each(readable)("answers as GET does at %s, without the body", async (path) => {
    const url = `/api${path.replace(/:\w+/, ids[path]?.() ?? "")}${periodOf(path)}`;
    const get = await ask("GET", url, administrator.token);
    const head = await ask("HEAD", url, administrator.token);

    expect(get.status).toBe(200);
    expect(answerOf(head)).toEqual({ status: 200 });
    for (const name of ["Content-Type", "Content-Length"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

describe("Location", () => {
  it.each([
    ["/parking-spots", () => ({ spot_number: "L-1", building_section: "North" })],
    ["/availabilities", () => ({ spot_id: spot.id, start_time: hours(30), end_time: hours(40) })],
  ])("of a row made by POST %s leads to it", async (path, body) => {
    const { headers, body: made } = await owner.post<object>(path, body(), 201);

    const found = await ask("GET", headers.get("Location") ?? "", owner.token);

    expect(headers.get("Location")).toMatch(new RegExp(`^/api${path}/[-0-9a-f]{36}$`));
    expect(answerOf(found)).toEqual({ status: 200, body: made });
  });

  it("of a new claim leads to it", async () => {
    const { start_time, end_time } = window;
    const { headers, body } = await administrator.post<object>(
      "/claims",
      { availability_id: window.id, start_time, end_time },
      201,
    );

    const found = await ask("GET", headers.get("Location") ?? "", administrator.token);

    expect(answerOf(found)).toEqual({ status: 200, body });
  });

  it("of a new profile leads to it", async () => {
    const person = await building.newcomer();
    const { headers, body } = await person.post<object>(
      "/profile",
      { apartment_number: "2B" },
      201,
    );

    const found = await ask("GET", headers.get("Location") ?? "", person.token);

    expect(headers.get("Location")).toBe("/api/profile");
    expect(answerOf(found)).toEqual({ status: 200, body });
  });

  it("is not sent where nothing was made", async () => {
    const answer = await owner.post("/parking-spots", {});

    expect(answer.status).toBe(400);
    expect(answer.headers.get("Location")).toBeNull();
  });
});

it("each Location of a POST is the address of a GET", () => {
  const addresses = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const located = routes.flatMap(({ location = [] }) => location);
  expect(located).toContain("/claims/:id");
  expect(located.filter((it) => !addresses.includes(it))).toEqual([]);
});
