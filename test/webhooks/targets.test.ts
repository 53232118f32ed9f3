import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sendToWebhook } from "../../src/webhooks/send.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { holdsForAll } from "../support/table.ts";

/** As they stand in a URL. `PORT` is that of a listener on loopback. */
const literals = [
  // loopback, in every spelling that some parser takes
  ...["127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "0177.0.0.1", "0177.1"],
  ...["0x7f.1", "0x7f.0.0.1", "0x7f000001", "0X7F000001", "2130706433", "017700000001"],
  ...["127.0.0.1.", "%31%32%37.0.0.1", "１２７.０.０.１", "127。0。0。1", "①②⑦.⓪.⓪.①"],
  // this network, private, link-local and shared addresses, metadata services
  ...["0.0.0.0", "0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "012.1", "167772161", "0xa000001"],
  ...["172.16.0.1", "172.31.255.255", "192.168.0.1", "0300.0250.1", "3232235521", "192.168.257"],
  ...[
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "169.254.170.2",
    "100.64.0.1",
    "100.100.100.200",
  ],
  // for protocols, documentation, benchmarks; multicast, reserved, broadcast
  ...["192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "4294967295"],
  // IPv6: unspecified, loopback, mapped, compatible, translated
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...[
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[::7f00:1]",
  ],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b::8.8.8.8]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::1]", "[2002:a00:1::]", "[2001:0:1::1]"],
  ...["[2001:0:4136:e378:8000:63bf:80ff:fffe]"],
  // IPv6: link-local, site-local, unique-local, multicast, documentation, discarded, not given to anybody
  ...["[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]"],
  ...["[3fff::1]", "[100::1]", "[100:0:0:1::1]", "[2001:2::1]", "[2001:10::1]", "[5f00::1]"],
  ...["[4000::1]", "[2620:4f:8000::1]"],
];

/** Not refused for an address, but for what they are. */
const wrongUrls: readonly [string, string][] = [
  ["http://example.com/", "must begin with https://"],
  ["http://127.0.0.1:PORT/", "must begin with https://"],
  ["ftp://example.com/", "must begin with https://"],
  ["file:///etc/passwd", "must begin with https://"],
  ["gopher://127.0.0.1:PORT/_", "must begin with https://"],
  ["data:text/plain,x", "must begin with https://"],
  ["https://example.com:22/", "must have port 443 or one from 1024 on"],
  ["https://example.com:25/", "must have port 443 or one from 1024 on"],
  ["https://user@example.com/", "must not have a name or a password"],
  ["https://user:secret@127.0.0.1:PORT/", "must not have a name or a password"],
  ["https://example.com@127.0.0.1:PORT/", "must not have a name or a password"],
  ["https://:x@127.0.0.1:PORT/", "must not have a name or a password"],
  ["https://[fe80::1%25lo]/", "is no URL"],
  ["https://127.0.0.1:99999/", "is no URL"],
  ["https://300.1.1.1/", "is no URL"],
  ["https://", "is no URL"],
  ["//127.0.0.1:PORT/", "is no URL"],
  ["", "is no URL"],
];

/** Counts what arrives on loopback, by IPv4 and IPv6. */
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let port = 0;

/** Where the sockets of this process were about to connect to, but for loopback's name server. */
const attempts: string[] = [];
const watch = (message: unknown) => {
  (message as { socket: Socket }).socket.on("connectionAttempt", (address) => {
    attempts.push(address);
  });
};

beforeAll(async () => {
  listener.listen(0, "::");
  await once(listener, "listening");
  const address = listener.address();
  port = typeof address === "object" && address ? address.port : 0;
  subscribe("net.client.socket", watch);
});
afterAll(() => {
  unsubscribe("net.client.socket", watch);
  listener.close();
});

const sent = (
  url: string,
  nameServers: readonly string[] = ["127.0.0.1:9"],
  signal?: AbortSignal,
) =>
  sendToWebhook(
    { url: url.replace("PORT", String(port)), headers: {}, body: "{}" },
    { nameServers, ...(signal && { signal }) },
  );

const notPublic = { failure: "the URL leads to an address that is not public" };

/** It must not have tried to connect anywhere. */
async function withoutPacket<T>(act: () => Promise<T>): Promise<T> {
  attempts.length = 0;
  const before = connections;
  const result = await act();
  expect({ attempts, connections }).toEqual({ attempts: [], connections: before });
  return result;
}

describe("an address that is not public", () => {
  it("gets nothing, in whatever spelling the URL has it", async () => {
    expect(new Set(literals).size).toBeGreaterThan(60);
    await holdsForAll(literals, async (host) => {
      const url = `https://${host}:${port}/hook`;
      expect(await withoutPacket(() => sent(url))).toEqual(notPublic);
    });
  });

  it("is one of the URLs that are refused", () =>
    holdsForAll(wrongUrls, async ([url, why]) =>
      expect(await withoutPacket(() => sent(url))).toEqual({ failure: `the URL ${why}` }),
    ));

  it("localhost is no exception in production", async () => {
    for (const name of ["localhost", "localhost.", "LOCALHOST", "x.localhost"]) {
      const { failure } = await withoutPacket(() => sent(`https://${name}:${port}/`));
      expect(failure).toMatch(
        /^the URL (leads to an address that is not public|has a name without)/,
      );
    }
  });
});

describe("a name", () => {
  const answers: Record<string, readonly (readonly string[])[]> = {
    "private.example": [["10.0.0.1"]],
    "loopback.example": [["127.0.0.1"]],
    "loopback6.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "nat64.example": [["64:ff9b::7f00:1"]],
    "mixed.example": [["3ffe::1", "127.0.0.1"]],
    "mixed6.example": [["8.8.8.8", "::1"]],
    "several.example": [["8.8.8.8", "8.8.4.4", "192.168.0.1"]],
    "nothing.example": [[]],
    // 3ffe::/16 was given back: nobody routes it.
    "rebinding.example": [["3ffe::1"], ["127.0.0.1", "::1"]],
  };
  let names: NameServer;
  beforeAll(async () => {
    names = await startNameServer((name, round) => {
      const rounds = answers[name] ?? [];
      return rounds[Math.min(round, rounds.length - 1)];
    });
  });
  afterAll(() => names.close());

  it("gets nothing where one of its addresses is not public", () =>
    holdsForAll(
      Object.keys(answers).filter((it) => !/nothing|rebinding/.test(it)),
      async (name) => {
        const url = `https://${name}:${port}/`;
        expect(await withoutPacket(() => sent(url, [names.address]))).toEqual(notPublic);
      },
    ));

  it("without an address is refused", async () => {
    expect(await withoutPacket(() => sent("https://nothing.example/", [names.address]))).toEqual({
      failure: "the URL has a name without an address",
    });
  });

  it("whose name server does not answer ends in time", async () => {
    const options = { nameServers: [names.address], longestMs: 100 };
    const message = { url: "https://silent.example/", headers: {}, body: "{}" };
    expect(await sendToWebhook(message, options)).toEqual({
      failure: "did not answer in 0.1 seconds",
    });
  });

  it("that is public first and loopback the next time is asked once, and connected to as it was checked", async () => {
    const url = `https://rebinding.example:${port}/`;
    const before = { connections, asked: names.asked() };
    attempts.length = 0;
    const attempted = new AbortController();
    const end = (message: unknown) => {
      (message as { socket: Socket }).socket.once("connectionAttempt", () => {
        setImmediate(() => attempted.abort());
      });
    };
    subscribe("net.client.socket", end);
    const first = await sent(url, [names.address], attempted.signal);
    unsubscribe("net.client.socket", end);

    expect(first.failure).toMatch(/^could not be reached|^was not sent/);
    expect(attempts).toEqual(["3ffe::1"]);
    expect({ connections, asked: names.asked() }).toEqual({ ...before, asked: before.asked + 1 });

    expect(await withoutPacket(() => sent(url, [names.address]))).toEqual(notPublic);
  });
});
