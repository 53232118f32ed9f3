import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { freePort } from "../support/free-port.ts";
import { type Program, startProgram } from "../support/program.ts";
import { exchange } from "../support/raw-socket.ts";
import { holdsForAll } from "../support/table.ts";

/** Neither a path nor the address of one, byte by byte. */
const malformed = [
  ...["http://[/", "http://a]b/", "http://", "https://", "HTTP://[/", "http:///", "http://a:b/"],
  ...["http://%ff@[/", "http://[::1/livez", "http:livez", "ftp://a/livez", "javascript:alert(1)"],
  ...["*", "a", "a:80", "[", "?", "livez", "mailto:a@b", "://", ":", "@", "\\", "%", "%ff"],
  ...["/#", "/#/", "/livez#a", "//a@[#", "//%ff@a#", "//a@[\xa0", "//%ff@a\xa0", "/\xff"],
  ...["http://[/#", "\xa0/livez", "\xff"],
];

const building = useBuilding();

describe.each([
  ["with metrics", async () => ({ ADMIN_PORT: String(await freePort()) })],
  ["without metrics", async () => ({})],
])("a service %s", (_case, settings) => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(building, await settings());
  });
  afterAll(() => program.stop());

  /** What it answers to a request with this line, byte by byte. */
  const answerTo = (line: string) =>
    exchange(
      program.origin,
      Buffer.from(`${line}\r\nHost: a\r\nConnection: close\r\n\r\n`, "latin1"),
    );

  it("refuses a malformed target", () =>
    holdsForAll(malformed, async (target) => {
      // Some of them Node refuses before it calls us.
      expect(await answerTo(`GET ${target} HTTP/1.1`)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(program.isRunning()).toBe(true);
    }));

  it("says why, as everything that fails does", async () => {
    const answer = await answerTo("GET http://[/ HTTP/1.1");

    expect(answer).toMatch(/^X-Error-Code: validation_failed\r$/m);
    expect(answer).toMatch(/^X-Request-Id: .+\r$/m);
    expect(answer).toMatch(/\r\n\r\n{"error":"The request target is neither a path nor a URL"}$/);
  });

  it("takes the path of a URL", () =>
    holdsForAll(["http://a/livez", "http://a:80/livez?", "HTTPS://b@a/livez"], async (target) =>
      expect(await answerTo(`GET ${target} HTTP/1.1`)).toMatch(/^HTTP\/1.1 200 OK\r\n/),
    ));
});
