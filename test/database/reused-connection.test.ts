import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import { dashboardThatRuns } from "../support/dashboard.ts";
import { connectTo, headOf } from "../support/raw-socket.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";

const building = useArena(1);
const owner = building.shared("resident");
const ann = building.shared("resident");
const bob = building.shared("resident");
const newcomer = building.shared("newcomer");
let spot: Spot;
let freeWindow: Window;
let claimOfAnn: Claim;
let backend: number;
beforeAll(async () => {
  spot = await spotOf(owner);
  claimOfAnn = await claimOf(ann, await windowOf(owner, spot));
  freeWindow = await windowOf(owner, spot, 10, 20);
});
/** For each test: on a busy machine the pool may have closed the last one, which was idle. */
beforeEach(async () => {
  backend = (await connection()).pid;
});

/** The only connection of the service: its process, and the claims it has. */
const connection = async () => {
  const { rows } = await building.service.pool.query<{ pid: number; claims: string | null }>(
    "select pg_backend_pid() as pid, current_setting('request.jwt.claims', true) as claims",
  );
  return rows[0] ?? { pid: 0, claims: "unknown" };
};

/** The next caller on the connection that Ann has just used is not taken for Ann. */
afterEach(async () => {
  expect(await connection()).toEqual({ pid: backend, claims: "" });
  expect(await newcomer.get("/profile")).toMatchObject({ status: 404 });
  expect(await newcomer.get("/claims")).toMatchObject({
    status: 403,
    body: { error: "Account not approved" },
  });
  expect((await bob.get("/claims")).body).toEqual({ claims: [], total: 0 });
  expect((await bob.get("/notifications")).body).toEqual({ notifications: [], total: 0 });
  expect((await bob.get("/profile")).body).toMatchObject({ profile: { id: bob.id } });
  expect((await ann.get("/claims")).body).toMatchObject({ claims: [{ id: claimOfAnn.id }] });
});

describe("the only connection has no caller after a request of Ann's", () => {
  const claim = (window: Window, from: number, to: number) => ({
    availability_id: window.id,
    start_time: hours(from),
    end_time: hours(to),
  });

  it("that succeeded", async () => {
    await ann.get("/claims", 200);
  });
  it("that was malformed", async () => {
    await ann.get("/claims/1", 400);
  });
  it("that broke a constraint", async () => {
    await ann.post("/claims", claim(freeWindow, 1, 30), 400);
  });
  it("that broke a policy", async () => {
    const window = { spot_id: spot.id, start_time: hours(40), end_time: hours(41) };
    await ann.post("/availabilities", window, 403);
  });
  it("for a row that does not exist", async () => {
    await ann.get(`/parking-spots/${freeWindow.id}`, 404);
  });
  it("that broke a unique index", async () => {
    const { spot_number } = spot;
    await ann.post("/parking-spots", { spot_number, building_section: "North" }, 409);
  });
});

/** Makes GET /dashboard fail with an error of this SQLSTATE, deep in the database. */
const makeDashboardRaise = (sqlState: string) =>
  building.rows(
    dashboardThatRuns(
      `raise exception using errcode = '${sqlState}', message = 'made up by the test';`,
    ),
  );

describe("the only connection has no caller after a request of Ann's failed", () => {
  it.each([
    ["XX000", 500],
    ["22012", 400],
    ["40001", 503],
    ["40P01", 503],
    ["53200", 503],
    ["55P03", 503],
    ["57014", 503],
    ["P0001", 500],
  ])("with %s", async (sqlState, status) => {
    await makeDashboardRaise(sqlState);
    await ann.get("/dashboard", status);
  });

  it("at the commit", async () => {
    await building.rows(
      `create constraint trigger refuse_at_commit
         after insert on parking.spots
         deferrable initially deferred
         for each row execute function private.enforce_rule('23514')`,
    );
    await ann.post("/parking-spots", { spot_number: "X-1", building_section: "North" }, 400);
    await building.rows("drop trigger refuse_at_commit on parking.spots");
    expect(await building.rows("select from parking.spots where spot_number = 'X-1'")).toEqual([]);
  });
});

/** Statements that use the table wait until `meanwhile` has ended. */
const whileTableIsLocked = <T>(table: string, meanwhile: () => Promise<T>): Promise<T> =>
  withTransactionOf(building.superuser, async (client) => {
    await client.query(`lock table ${table} in access exclusive mode`);
    return meanwhile();
  });

describe("the only connection has no caller after a statement of Ann's was cancelled", () => {
  it.each(["reading", "writing"])("while %s", async (kind) => {
    const { id, start_time, end_time } = freeWindow;
    const answer = await whileTableIsLocked("parking.claims", async () => {
      const pending =
        kind === "reading"
          ? ann.get("/claims")
          : ann.post("/claims", { availability_id: id, start_time, end_time });
      await untilWaiting(building, 1);
      await building.superuser.query("select pg_cancel_backend($1)", [backend]);
      return pending;
    });
    expect(answer).toMatchObject({ status: 503, body: { error: "Service unavailable" } });
  });
});

describe("the only connection, after Ann disconnected", () => {
  const body = JSON.stringify({ apartment_number: "9Z" });
  const send = async (text: string): Promise<Socket> => {
    const socket = await connectTo(building.service.origin);
    socket.write(text);
    return socket;
  };
  const head = () =>
    headOf("PUT /api/profile", [
      `Authorization: Bearer ${ann.token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ]);
  const apartment = async () => {
    const { body: own } = await ann.get<{ profile: { apartment_number: string } }>("/profile", 200);
    return own.profile.apartment_number;
  };

  it.each([
    ["headers", 40],
    ["body", -9],
  ])("in the middle of her %s: has no caller, and nothing is written", async (_where, end) => {
    const socket = await send((head() + body).slice(0, end));
    socket.destroy();
    await once(socket, "close");
    expect(await apartment()).toBe("1A");
  });

  it("before the answer: has no caller, and her request is carried out", async () => {
    await whileTableIsLocked("parking.profiles", async () => {
      const socket = await send(head() + body);
      await untilWaiting(building, 1);
      socket.destroy();
      await once(socket, "close");
    });
    expect(await apartment()).toBe("9Z");
  });

  it("while others waited: serves them", async () => {
    const waiting = await whileTableIsLocked("parking.claims", async () => {
      const request = headOf("GET /api/claims", [`Authorization: Bearer ${ann.token}`]);
      const sockets = [await send(request), await send(request)];
      await untilWaiting(building, 1);
      const answer = bob.get("/claims", 200);
      for (const socket of sockets) socket.destroy();
      return { answer };
    });
    expect((await waiting.answer).body).toEqual({ claims: [], total: 0 });
  });
});
