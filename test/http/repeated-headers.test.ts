import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { exchange } from "../support/raw-socket.ts";

const building = useBuilding();
const ann = building.shared("resident");
const bob = building.shared("resident");

/** The answer to one request with these headers, and no others. */
const ask = (path: string, headers: readonly string[]) =>
  exchange(
    building.service.origin,
    [`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"),
  );

/** Parsers and proxies disagree about which of two counts, so neither is used. */
describe("a second Authorization header", () => {
  const authorization = (person: Person) => `Authorization: Bearer ${person.token}`;

  it("is refused, also when both are the same", async () => {
    for (const second of [authorization(bob), authorization(ann), "Authorization: Basic YTpi"]) {
      const answer = await ask("/api/profile", ["Host: localhost", authorization(ann), second]);

      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toMatch(/^WWW-Authenticate: Bearer error="invalid_token"/im);
      expect(answer).not.toContain(ann.id);
    }
  });

  it("makes the difference", async () => {
    expect(await ask("/api/profile", ["Host: localhost", authorization(ann)])).toContain(ann.id);
  });
});

it.each(["/livez", "/api/profile", "/docs/"])(
  "a second Host header is refused: %s",
  async (path) => {
    const answer = await ask(path, ["Host: localhost", "Host: evil.example"]);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("Host");
  },
);
