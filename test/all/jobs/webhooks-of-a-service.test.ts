import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "@jest/globals";
import { developmentToken } from "../../../src/development/index.ts";
import { people } from "../../../src/development/people.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { spotOf, useBuilding } from "../../support/building.ts";
import { startDemoService } from "../../support/demo-service.ts";
import { environment } from "../../support/environment.ts";
import { requestJson } from "../../support/person.ts";
import { startProgram } from "../../support/program.ts";
import { startReceiver } from "../../support/receiver.ts";
import type { Settings } from "../../support/settings.ts";
import { until } from "../../support/waiting.ts";
import { deliveriesOf, webhookOf } from "../../support/webhooks.ts";

const building = useBuilding();

/** `npm run jobs -- run` beside a service with JOBS=off. */
function startJobs(settings: Settings): { stop(): Promise<void> } {
  const DATABASE_URL = building.database.url("parking_api");
  const child = spawn(process.execPath, ["src/commands/jobs.ts", "run"], {
    cwd: projectFolder,
    env: { ...environment, LOG_LEVEL: "silent", DATABASE_URL, ...settings },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  return {
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

it.each<[string, Settings]>([
  ["a service", {}],
  ["a service", { NODE_ENV: "development" }],
  ["a service", { NODE_ENV: "production" }],
  ["a process for jobs", {}],
  ["a process for jobs", { NODE_ENV: "development" }],
])("%s of a building sends nothing to this machine, with %j", async (which, settings) => {
  await using started = new AsyncDisposableStack();
  const receiver = started.adopt(await startReceiver(), (it) => it.kill());
  const administrator = await building.administrator();
  const webhook = await webhookOf(administrator, { url: `${receiver.origin}/204` });
  await spotOf(await building.resident());

  const program =
    which === "a service" ? await startProgram(building, settings) : startJobs(settings);
  started.defer(() => program.stop());
  const newest = async () => (await deliveriesOf(administrator, webhook)).deliveries[0];
  await until("an attempt has ended", async () => {
    const { attempts = 0, state } = (await newest()) ?? {};
    return attempts > 0 && state !== "waiting";
  });
  expect(await newest()).toMatchObject({
    state: "failing",
    failure: "the URL must begin with https://",
  });
  expect(receiver.requests).toEqual([]);
});

it("a service that signs in anybody, on this machine alone, sends to it", async () => {
  await using started = new AsyncDisposableStack();
  const receiver = started.adopt(await startReceiver(), (it) => it.kill());
  const service = started.adopt(await startDemoService(), (it) => it.stop());
  const token = await developmentToken(people.ada.email, service);
  const url = `${receiver.origin}/204`;
  const ask = (path: string, body: object) =>
    requestJson(service.origin, "POST", `/api${path}`, { token, body });
  await ask("/admin/webhooks", { url, types: ["spot.registered"] });
  const spot = { spot_number: "W-1", building_section: "North" };
  expect(await ask("/parking-spots", spot)).toMatchObject({ status: 201 });
  expect(await receiver.received(({ path }) => path === "/204")).toBeDefined();
});
