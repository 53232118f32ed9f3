import { once } from "node:events";
import { get } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/log/logger.ts";
import { listenForScrapes } from "../../src/metrics/listener.ts";
import { startService } from "../../src/service.ts";
import { useBuilding } from "../support/building.ts";

const logger = createLogger("silent");

describe("the port of the metrics", () => {
  const building = useBuilding();

  const configOf = (settings: Readonly<Record<string, string>>) =>
    readServiceConfig({
      PORT: "0",
      DATABASE_URL: building.database.url("parking_api"),
      AUTH_ISSUER: building.service.issuer.issuer,
      AUTH_AUDIENCE: building.service.issuer.audience,
      ...settings,
    });

  it("is not opened unless a setting asks for it", async () => {
    const service = await startService(configOf({}), logger);
    expect(service.metricsAddress).toBeUndefined();
    await service.stop();
  });

  it("ends the start where it is in use, and names the setting", async () => {
    const { port } = new URL(building.service.origin);
    const start = startService(configOf({ ADMIN_PORT: port }), logger);
    await expect(start).rejects.toThrow(/^ADMIN_HOST, ADMIN_PORT: listen EADDRINUSE/);
  });
});

it("answers 500 where the metrics cannot be read, and goes on", async () => {
  let fails = true;
  const page = {
    contentType: "text/plain",
    text: async () => {
      if (fails) throw new Error("broken");
      return "up 1\n";
    },
  };
  const listener = await listenForScrapes({ host: "127.0.0.1", port: 0 }, page, logger);
  expect((await fetch(listener.address)).status).toBe(500);
  fails = false;
  expect(await (await fetch(listener.address)).text()).toBe("up 1\n");
  await listener.close();
});

describe("the Host of a scrape", () => {
  const page = { contentType: "text/plain", text: async () => "up 1\n" };
  const statusWith = async (address: string, host: string) => {
    const [response] = await once(get(address, { headers: { host } }), "response");
    response.resume();
    return response.statusCode;
  };

  it("is a name of this machine where only this machine can ask", async () => {
    const listener = await listenForScrapes({ host: "127.0.0.1", port: 0 }, page, logger);
    for (const host of ["127.0.0.1", "127.0.0.1:9464", "localhost", "LocalHost:1", "[::1]:9464"])
      expect([host, await statusWith(listener.address, host)]).toEqual([host, 200]);
    // A browser sends these: who owns a name can let it lead to this machine.
    for (const host of ["evil.example", "evil.example:9464", "localhost.evil.example", "[", "a b"])
      expect([host, await statusWith(listener.address, host)]).toEqual([host, 421]);
    await listener.close();
  });

  it("is any name that a private network has for the machine", async () => {
    const listener = await listenForScrapes({ host: "0.0.0.0", port: 0 }, page, logger);
    expect(await statusWith(listener.address, "parking-1:9464")).toBe(200);
    await listener.close();
  });
});
