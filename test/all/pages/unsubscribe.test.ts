import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import { useBuilding } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";

const building = useBuilding({ rateLimits: { refusedTokensPerMinute: 20 } });
let person: Person;
let key: string;
beforeEach(async () => {
  person = await building.resident();
  const sql = "select private.unsubscribe_key($1) as key";
  key = (await building.rows<{ key: string }>(sql, [person.id]))[0]?.key ?? "";
});

/** What a mail program sends, which has no token (RFC 8058). */
const open = (method: string, sig = key, language = "en") =>
  fetch(`${building.service.origin}/api/unsubscribe?sig=${sig}&language=${language}`, {
    method,
    ...(method === "POST" && {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    }),
  });
const mailOf = async () =>
  (await person.get<{ preferences: { mail: unknown } }>("/profile/preferences", 200)).body
    .preferences.mail;

describe("/unsubscribe", () => {
  it("ends all mails by one POST without a token, as often as it comes", async () => {
    for (const _time of [1, 2]) {
      const answer = await open("POST");
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(await answer.text()).toContain("You get no more mails.");
      expect(await mailOf()).toEqual([]);
    }
  });

  it("takes what browsers send for a form of several parts, too", async () => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    const { status } = await fetch(`${building.service.origin}/api/unsubscribe?sig=${key}`, {
      method: "POST",
      body,
    });
    expect([status, await mailOf()]).toEqual([200, []]);
  });

  it("only asks where a link is opened, in the language of the mail", async () => {
    const answer = await open("GET", key, "de");
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(
      /<html lang="de">[\s\S]*<form method="post"><button>Alle E-Mails/,
    );
    expect(answer.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect((await open("HEAD")).status).toBe(200);
    expect(await mailOf()).toBeNull();
  });

  it("shows nothing of what it was sent", async () => {
    const script = encodeURIComponent('"><script>alert(1)</script>');
    for (const method of ["GET", "POST"])
      expect(await (await open(method, script, script)).text()).not.toContain("script");
  });

  it("knows no other method", async () => {
    const answer = await open("DELETE");
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "HEAD, GET, POST"]);
  });

  it("refuses other keys, and who sends many of them", async () => {
    expect((await open("POST", `${key.slice(0, 42)}${key.endsWith("A") ? "B" : "A"}`)).status).toBe(
      404,
    );
    const statuses = new Set<number>();
    for (let tried = 0; tried < 25; tried++) statuses.add((await open("POST", "wrong")).status);
    expect([...statuses].toSorted()).toEqual([404, 429]);
    expect(await mailOf()).toBeNull();
  });
});

describe("what is no key", () => {
  const limited = useBuilding({ rateLimits: { refusedTokensPerMinute: 4 } });
  it("is refused as one that is unknown, is counted, and never reaches the database", async () => {
    const asked = jest.spyOn(limited.service.pool, "connect");
    const statuses: number[] = [];
    for (const sig of ["%00", "", "wrong", `${"x".repeat(43)}%00`, "%00", "wrong"]) {
      const url = `${limited.service.origin}/api/unsubscribe?sig=${sig}`;
      statuses.push((await fetch(url, { method: "POST" })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe.each(["memory", "postgres"] as const)("its limits, counted in %s,", (store) => {
  const limited = useBuilding({
    rateLimits: { store, refusedTokensPerMinute: 2, perMinute: 5, perHour: 1_000 },
  });
  it("stop who sends one key again and again, and nobody else", async () => {
    const keyOf = async () => {
      const { id } = await limited.resident();
      const sql = "select private.unsubscribe_key($1) as key";
      return (await limited.rows<{ key: string }>(sql, [id]))[0]?.key;
    };
    const end = async (sig?: string) =>
      (await fetch(`${limited.service.origin}/api/unsubscribe?sig=${sig}`, { method: "POST" }))
        .status;
    const [often, once] = [await keyOf(), await keyOf()];
    const statuses: number[] = [];
    for (let sent = 0; sent < 7; sent++) statuses.push(await end(often));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await end(once)).toBe(200);
  });
});
