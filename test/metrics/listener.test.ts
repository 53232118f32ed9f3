import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { listenForScrapes } from "../../src/metrics/listener.ts";
import { startService } from "../../src/service.ts";
import { type Building, openBuilding } from "../support/building.ts";

const logger = createLogger("silent");

describe("the port of the metrics", () => {
  let building: Building;
  beforeAll(async () => {
    building = await openBuilding();
  });
  afterAll(() => building.close());

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

  it("is on loopback, and closes with the service", async () => {
    const service = await startService(configOf({ ADMIN_PORT: "0" }), logger);
    const address = service.metricsAddress ?? "";
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch(address)).status).toBe(200);
    await service.stop();
    await expect(fetch(address)).rejects.toThrow("fetch failed");
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
