import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { startServer } from "../support/key-server.ts";
import { requestJson } from "../support/person.ts";
import { type Program, startProgram } from "../support/program.ts";
import { makeKey, signToken, usualClaims } from "../support/tokens.ts";
import { until } from "../support/waiting.ts";

const building = useBuilding();

type Entry = Readonly<Record<string, unknown>>;

const entriesOf = ({ log }: Program): readonly Entry[] => log.map((line) => JSON.parse(line));

describe("at info, the log of a refused token", () => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(building, { LOG_LEVEL: "info" });
  });
  afterAll(() => program.stop());

  /** What is logged about a request with this token. */
  async function entriesAbout(token: string | undefined): Promise<readonly Entry[]> {
    const { headers } = await requestJson(program.origin, "GET", "/api/profile", {
      ...(token !== undefined && { token }),
    });
    const about = () =>
      entriesOf(program).filter(({ requestId }) => requestId === headers.get("X-Request-Id"));
    await until("the line of the request", () =>
      about().some(({ message }) => message === "request"),
    );
    return about();
  }

  it.each([
    ["the token has expired", { exp: 1 }],
    ["aud does not contain AUTH_AUDIENCE", { aud: "elsewhere" }],
    ["iss is not AUTH_ISSUER", { iss: "https://elsewhere.example" }],
    ["sub is not a UUID", { sub: "auth0|1" }],
  ])("has the reason: %s", async (reason, claims) => {
    const sub = "01912d68-783e-7a03-8467-5661c1243ad4";
    const token = await building.service.issuer.token({ sub, ...claims });

    expect(await entriesAbout(token)).toContainEqual(
      expect.objectContaining({ level: "info", status: 401, reason }),
    );
    expect(program.log.join()).not.toContain(token.split(".")[1]);
  });

  it("has no line at error where its key is unknown, for anybody can invent one", async () => {
    const { issuer, audience } = building.service.issuer;
    const claims = { ...usualClaims(issuer, audience, Date.now() + 60_000), sub: randomUUID() };
    const entries = await entriesAbout(signToken(makeKey("ES256", randomUUID()), claims));

    expect(entries).toContainEqual(expect.objectContaining({ level: "info", status: 401 }));
    expect(entriesOf(program).filter(({ level }) => level === "error")).toEqual([]);
  });

  it("has no line besides the request's where there is no token", async () => {
    expect(await entriesAbout(undefined)).toHaveLength(1);
  });
});

describe("a start", () => {
  const started: Program[] = [];
  afterEach(() => Promise.all(started.map((program) => program.stop())));

  const warnings = (program: Program) =>
    entriesOf(program).filter(
      ({ level, message }) => level === "warn" && String(message).includes("AUTH_ISSUER"),
    );

  it("warns of an issuer that cannot be reached", async () => {
    const server = await startServer(() => {});
    await server.close();
    const program = await startProgram(building, {
      LOG_LEVEL: "info",
      AUTH_ISSUER: server.origin,
    });
    started.push(program);
    await until("a warning", () => warnings(program).length > 0);

    expect(warnings(program)).toEqual([
      expect.objectContaining({
        message:
          "the keys of AUTH_ISSUER cannot be fetched: all tokens are refused with 503 until they can",
        reason: expect.stringMatching(`${server.origin}/.well-known.*ECONNREFUSED`),
      }),
    ]);
  });
});
