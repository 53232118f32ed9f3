import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { formatOf } from "../support/answers.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { freePort } from "../support/free-port.ts";
import { scrape } from "../support/metrics.ts";
import type { Person } from "../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../support/program.ts";
import { connectTo, everythingFrom, exchange, headOf } from "../support/raw-socket.ts";
import { holdsForAll } from "../support/table.ts";
import { until } from "../support/waiting.ts";

let building: Building;
let ann: Person;
beforeAll(async () => {
  const timeouts = {
    headersTimeout: 1_000,
    requestTimeout: 2_000,
    connectionsCheckingInterval: 20,
  };
  building = await openBuilding({ timeouts });
  ann = await building.resident();
});
afterAll(() => building.close());

/** What every failure has, no matter who noticed it. */
const usual = [
  "Cache-Control: private, no-store",
  "Content-Type: application/json; charset=utf-8",
  "Connection: close",
  "X-Content-Type-Options: nosniff",
  "Strict-Transport-Security: max-age=31536000",
];

interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: unknown;
}

/** The refusal that an answer is, with all that belongs to one. */
function refusalIn(answer: string): Refusal {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const fields = head.split("\r\n");
  const fieldOf = (name: string) =>
    fields.find((field) => field.startsWith(`${name}: `))?.slice(name.length + 2);
  expect(fields).toEqual(expect.arrayContaining(usual));
  expect(Number(fieldOf("Content-Length"))).toBe(Buffer.byteLength(body));
  expect(formatOf(fieldOf("X-Request-Id") ?? null)).toBe("uuid");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    code: fieldOf("X-Error-Code"),
    body: JSON.parse(body),
  };
}

const TUNNEL = "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n";
const close = ["Connection: close"];
const inChunks = (line: string, ...more: readonly string[]) =>
  headOf(line, ["Transfer-Encoding: chunked", "Content-Type: application/json", ...more]);

describe("a request that cannot be read", () => {
  const refused = async (bytes: string) =>
    refusalIn(await exchange(building.service.origin, bytes));

  it("is refused as malformed where it is not HTTP/1.1", () =>
    holdsForAll(
      [
        "\x16\x03\x01\x02\0", // TLS
        headOf("BREW /livez", close),
        headOf("GET /livez", ["X", ...close]), // a name without a colon
        "GET /livez HTTP/1.2\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/2.0\r\nHost: a\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", // the preface of version 2
        "GET /livez\r\n\r\n",
      ],
      async (bytes) =>
        expect(await refused(bytes)).toEqual({
          status: 400,
          code: "malformed_request",
          body: { error: "The request is not valid HTTP/1.1" },
        }),
    ));

  it("is a failure like every other", () =>
    holdsForAll(
      [
        {
          bytes: "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n",
          status: 400,
          code: "validation_failed",
          error: "There is no Host header",
        },
        {
          bytes: "GET /livez HTTP/1.1\r\nHost: a\r\n", // an end within the headers
          status: 408,
          code: "request_timeout",
          error: "The request took too long",
        },
        {
          bytes: headOf("GET /livez", [`X: ${"x".repeat(17_000)}`]),
          status: 431,
          code: "headers_too_large",
          error: "The request headers are larger than 16 kB",
        },
        {
          bytes: headOf("GET /livez", ["Expect: 200-ok", ...close]),
          status: 417,
          code: "expectation_failed",
          error: "Only 100-continue can be expected",
        },
      ],
      async ({ bytes, error, ...refusal }) =>
        expect(await refused(bytes)).toEqual({ ...refusal, body: { error } }),
    ));

  it.each<[what: string, chunk: string, status: number, code: string]>([
    ["a chunk without a size", "zz\r\n{}\r\n0\r\n\r\n", 400, "malformed_request"],
    ["an extension of 20 kB", `2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 413, "body_too_large"],
    ["no end", "2\r\n{}\r\n", 408, "request_timeout"],
  ])("whose body has %s is one too, and changes nothing", async (_what, chunk, status, code) => {
    const head = inChunks("PUT /api/profile", `Authorization: Bearer ${ann.token}`);
    const answer = await exchange(building.service.origin, head + chunk);

    expect(refusalIn(answer)).toMatchObject({ status, code });
  });

  it("is refused on a connection that was idle", async () => {
    const socket = await connectTo(building.service.origin);
    const answers = everythingFrom(socket);
    socket.write(headOf("GET /livez", []));
    await once(socket, "data");
    socket.write(headOf("BREW /livez", []));

    const [, second = ""] = (await answers).split(/(?<=})(?=HTTP)/);
    expect(refusalIn(second)).toMatchObject({ status: 400, code: "malformed_request" });
  });

  it.each([
    ["its headers", "GET /livez HTTP/1.1\r\n", "malformed_request"],
    ["its body", undefined, "incomplete_body"],
  ])("ends within %s: the client that still listens learns it", async (_where, bytes, code) => {
    const headers = [`Authorization: Bearer ${ann.token}`, "Content-Type: application/json"];
    const head = headOf("PUT /api/profile", [...headers, "Content-Length: 100"]);
    const socket = await connectTo(building.service.origin);
    const answer = everythingFrom(socket);
    socket.end(bytes ?? `${head}{`);

    expect(refusalIn(await answer)).toMatchObject({ status: 400, code });
  });

  it("asks for a tunnel: that is no path of the service", async () => {
    const answer = await exchange(building.service.origin, TUNNEL);

    expect(refusalIn(answer)).toMatchObject({ status: 400, code: "validation_failed" });
  });
});

describe("Expect: 100-continue", () => {
  const put = (...headers: readonly string[]) =>
    headOf("PUT /api/profile", [
      "Content-Type: application/json",
      "Expect: 100-continue",
      ...headers,
    ]);
  const authorization = () => `Authorization: Bearer ${ann.token}`;

  it("is answered when the body is wanted", async () => {
    const socket = await connectTo(building.service.origin);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    socket.write(put("Content-Length: 2", authorization(), ...close));
    await until("100 Continue", () => answer === "HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("{}");
    await until("the answer", () => answer.includes("HTTP/1.1 200 OK"));
  });

  it.each<[what: string, status: number, headers: () => readonly string[]]>([
    ["without a token", 401, () => ["Content-Length: 2"]],
    ["for a body of a megabyte", 413, () => ["Content-Length: 1000000", authorization()]],
    [
      "for a body that is compressed",
      415,
      () => ["Content-Length: 2", "Content-Encoding: gzip", authorization()],
    ],
  ])("%s is refused before the body is sent", async (_what, status, headers) => {
    const answer = await exchange(building.service.origin, put(...headers()));

    expect(refusalIn(answer).status).toBe(status);
  });
});

describe("what could not be read, and a tunnel,", () => {
  let program: Program;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    const settings = { LOG_LEVEL: "info", ADMIN_PORT: String(port) };
    program = await startProgram(building, { ...noRateLimits, ...settings });
  });
  afterAll(() => program.stop());

  it("has a line in the log, and is counted", async () => {
    const answer = await exchange(program.origin, headOf("BREW /livez", []));
    const id = /^X-Request-Id: (\S+)\r$/m.exec(answer)?.[1] ?? "no id";

    await until("the line", () => program.log.some((line) => line.includes(id)));
    const line = program.log.find((it) => it.includes(id)) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      method: "",
      path: "*",
      status: 400,
      message: "request",
      address: "127.0.0.1",
    });
    const labels = { method: "other", route: "other", status: "400" };
    const { value } = await scrape(port);
    expect(value("http_requests_total", labels)).toBe(1);
    expect(value("parking_refusals_total", { code: "malformed_request" })).toBe(1);
  });

  it.each([
    ["a tunnel", TUNNEL],
    ["what could not be read", headOf("BREW /livez", [])],
  ])("%s waits for the answers to what came before", async (_what, bytes) => {
    const ready = headOf("GET /readyz", []);
    const ask = async () => {
      const answers = await exchange(program.origin, ready + ready + bytes);
      return [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    };
    // The database has a second to answer, which is short on a busy machine.
    let statuses = await ask();
    while (statuses.includes("503")) statuses = await ask();
    expect(statuses).toEqual(["200", "200", "400"]);
  });

  it.each([
    ["a tunnel", TUNNEL],
    ["a tunnel that waits", headOf("GET /readyz", []) + TUNNEL],
    ["what could not be read and waits", headOf("GET /readyz", []) + headOf("BREW /livez", [])],
  ])("%s may lose its client: the process stays", async (_what, bytes) => {
    for (let times = 0; times < 50; times++) {
      const socket = await connectTo(program.origin);
      socket.write(bytes, () => socket.resetAndDestroy());
      await once(socket, "close");
    }
    expect((await fetch(`${program.origin}/livez`)).status).toBe(200);
  });
});
