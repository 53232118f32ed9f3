import { expect, it } from "@jest/globals";
import { spotOf, useBuilding } from "../support/building.ts";
import { startProgram } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/waiting.ts";
import { deliveriesOf, webhookOf } from "../support/webhooks.ts";

const building = useBuilding();

it.each<[string, object]>([
  ["development", { state: "delivered", failure: null }],
  ["production", { state: "failing", failure: "the URL must begin with https://" }],
])("a service in %s sends to this machine, or does not", async (environment, outcome) => {
  await using started = new AsyncDisposableStack();
  const receiver = started.adopt(await startReceiver(), (it) => it.kill());
  const administrator = await building.administrator();
  const webhook = await webhookOf(administrator, { url: `${receiver.origin}/204` });
  await spotOf(await building.resident());

  const program = await startProgram(building, { NODE_ENV: environment });
  started.defer(() => program.stop());
  const newest = async () => (await deliveriesOf(administrator, webhook)).deliveries[0];
  await until("an attempt has ended", async () => {
    const { attempts = 0, state } = (await newest()) ?? {};
    return attempts > 0 && state !== "waiting";
  });
  expect(await newest()).toMatchObject(outcome);
  expect(receiver.requests).toHaveLength(environment === "production" ? 0 : 1);
});
