import { Agent, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { POSTGRES_WORDS } from "../../rest/bad-input/cases.ts";
import { type Ids, type WildRequest, wildRequest } from "../../rest/bad-input/requests.ts";
import { type Building, claimOf, openBuilding, spotOf, windowOf } from "../../support/building.ts";
import type { Failure } from "../../support/person.ts";
import { random } from "../../support/random.ts";

const SEED = 20_261_120;
const REQUESTS = 3000;
const AT_ONCE = 8;

let building: Building;
let ids: Ids;
let tokens: readonly string[];
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  building = await openBuilding({ connections: AT_ONCE });
  const administrator = await building.administrator();
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const [unapproved, newcomer] = [await building.unapproved(), await building.newcomer()];
  tokens = [administrator, owner, owner, claimer, claimer, unapproved, newcomer].map(
    ({ token }) => token,
  );

  const [near, far, his] = [await spotOf(owner), await spotOf(owner), await spotOf(claimer)];
  const [taken, free] = [await windowOf(owner, near), await windowOf(owner, far)];
  const hisTaken = await windowOf(claimer, his);
  const claims = [await claimOf(claimer, taken), await claimOf(owner, hisTaken)];
  const notifications = await building.rows<{ id: string }>("select id from parking.notifications");
  ids = {
    spots: [near.id, far.id, his.id],
    windows: [taken.id, free.id, hisTaken.id],
    claims: claims.map(({ id }) => id),
    notifications: notifications.map(({ id }) => id),
    people: [unapproved.id],
  };
});
afterAll(async () => {
  agent.destroy();
  await building.close();
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

const send = ({ method, path, headers, body }: WildRequest): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request(building.service.origin, { agent, method, path, headers });
    outgoing.once("error", reject).once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(body);
  });

/** Messages for a rule that has none, or a value that only PostgreSQL finds invalid. */
const UNNAMED = ["Invalid data", "Conflicts with existing data", "Insufficient permissions"];

/** What is wrong with a reply, whatever the request was. */
function objectionTo({ status, text }: Reply): string | undefined {
  if (status >= 500) return "it is a 5xx";
  if (status === 200 && text.startsWith("BEGIN:VCALENDAR")) return undefined;
  if (!/^{.*}$/s.test(text)) return "it is not an object";
  const { error }: Partial<Failure> = JSON.parse(text);
  if (status < 400) return error === undefined ? undefined : "it succeeded with an error";
  if (typeof error !== "string") return "it has no error";
  if (UNNAMED.includes(error)) return "it does not name the rule or field that was broken";
  return POSTGRES_WORDS.test(error) ? "it has words of PostgreSQL" : undefined;
}

describe("a random request to the API", () => {
  it(`is never answered with a 5xx (seed ${SEED})`, async () => {
    const chance = random(SEED);
    const requests = Array.from({ length: REQUESTS }, () => wildRequest(chance, ids, tokens));
    const statuses = new Map<number, number>();
    const objections: unknown[] = [];
    const queue = requests.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const wild of queue) {
          const reply = await send(wild);
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
          const objection = objectionTo(reply);
          if (objection !== undefined) objections.push({ objection, ...reply, wild });
        }
      }),
    );
    expect(objections).toEqual([]);
    expect([...statuses.keys()].toSorted()).toEqual(
      expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 409, 415]),
    );
  });
});
