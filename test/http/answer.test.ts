import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createHttpServer } from "../../src/http/server.ts";

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The headers of an answer for which this was done. */
async function headersAfter(answer: RequestListener): Promise<Headers> {
  server = createHttpServer((request, response) => {
    answer(request, response);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}`)).headers;
}

describe("an answer", () => {
  it("has the usual headers", async () => {
    const headers = await headersAfter(() => {});
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
  });

  it("has another value where one is set, by whatever case of its name", async () => {
    const headers = await headersAfter((_request, response) => {
      response.setHeader("cache-control", "no-cache");
      expect(response.getHeader("Cache-Control")).toBe("no-cache");
    });
    expect(headers.get("Cache-Control")).toBe("no-cache");
  });

  it("has none where it is removed, and all others", async () => {
    const headers = await headersAfter((_request, response) => {
      response.removeHeader("x-frame-options");
      expect(response.hasHeader("X-Frame-Options")).toBe(false);
      expect(response.getHeaders()).not.toHaveProperty("x-frame-options");
    });
    expect(headers.has("X-Frame-Options")).toBe(false);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-XSS-Protection")).toBe("0");
  });

  it("has each value of a list", async () => {
    const headers = await headersAfter((_request, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
    });
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("has what is appended", async () => {
    const headers = await headersAfter((_request, response) => {
      response.setHeader("Vary", "Origin");
      response.appendHeader("X-Other", "1");
    });
    expect(headers.get("Vary")).toBe("Origin");
    expect(headers.get("X-Other")).toBe("1");
    expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
  });

  it("cannot be split by a value with a line break", async () => {
    const headers = await headersAfter((_request, response) => {
      response.setHeader("X-Other", "a\r\nX-Injected: 1");
      expect(() => response.writeHead(200)).toThrow("Invalid character");
      response.setHeader("X-Other", "a");
    });
    expect(headers.has("X-Injected")).toBe(false);
  });
});
