import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventTypes, webhookTypes } from "../../../src/contract/events.ts";
import { webhookRoutes } from "../../../src/contract/webhooks.ts";
import {
  formats,
  webhookTypes as shownTypes,
  states,
} from "../../../src/web/screens/webhooks/words.ts";
import { until } from "../../support/waiting.ts";
import { registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, tabTo } from "./open-page.ts";

const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly format: string;
  readonly enabled: boolean;
  readonly failing_since: string | null;
}

describe("the screen of webhooks", () => {
  it("knows the types, forms and states of the API", () => {
    const route = (call: string) => JSON.stringify(webhookRoutes.find((it) => it.call === call));
    expect([...shownTypes]).toEqual(webhookTypes);
    expect(Object.keys(eventTypes)).toEqual(expect.arrayContaining([...shownTypes]));
    expect(route("create_webhook")).toContain(JSON.stringify(formats));
    expect(route("list_deliveries")).toContain(JSON.stringify(states));
  });
});

describeInBrowser("the webhooks of an administrator", (world) => {
  let answer = 204;
  const received: { readonly id: unknown; readonly type: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      received.push({ id: request.headers["webhook-id"], type: JSON.parse(body).type });
      response.writeHead(answer).end();
    });
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/parking`;
  });
  afterAll(() => new Promise((resolve) => receiver.close(resolve)));

  const open = (path: string, options = {}) => world().open(world().administrator(), path, options);
  const read = <Rows>(path = "") => world().administrator().read<Rows>(`/admin/webhooks${path}`);
  const webhooks = () => read<readonly Webhook[]>();
  const make = async (given: object = {}) => {
    const body = { url, types: ["spot.registered"], ...given };
    const administrator = world().administrator();
    const made = await administrator.ask<{ webhook: Webhook }>("POST", "/admin/webhooks", body);
    return made.body.webhook;
  };
  const get = (id: string) => read<Webhook>(`/${id}`);

  it("are added by keyboard alone, and show their secret once", async () => {
    const page = await open("/webhooks", withClipboard);
    await page.getByRole("button", { name: "Add a webhook" }).waitFor();
    await expectAccessible(page);
    await tabTo(page, "button.main-action");
    await page.keyboard.press("Enter");
    await tabTo(page, `input[name="url"]`);
    await page.keyboard.type(`${url}/added`);
    await tabTo(page, `input[value="claim.submitted"]`);
    await page.keyboard.press("Space");
    await expectAccessible(page);
    await tabTo(page, `button[type="submit"]`);
    await page.keyboard.press("Enter");

    await page.getByText("The webhook is added. Its secret is shown only once.").waitFor();
    await page.locator("h1:focus").waitFor();
    const [added] = await webhooks();
    expect(added).toMatchObject({
      url: `${url}/added`,
      types: ["claim.submitted"],
      format: "event",
      enabled: true,
    });
    const secret = page.getByLabel("Secret", { exact: true });
    const first = await secret.inputValue();
    expect(first).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("The secret is copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(first);
    await expectAccessible(page);

    await page.getByRole("button", { name: "Create a new secret" }).click();
    await page.getByText("The webhook has a new secret.").waitFor();
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    expect(await secret.inputValue()).not.toBe(first);

    await page.getByRole("button", { name: "All webhooks" }).click();
    await page.getByRole("button", { name: `Manage ${url}/added` }).click();
    await page.getByRole("heading", { name: `${url}/added` }).waitFor();
    expect(await secret.count()).toBe(0);
  });

  it("say what is refused, and keep what was typed", async () => {
    const page = await open("/webhooks?add=yes");
    const address = page.getByLabel("Address");
    await address.fill("http://example.org/plain");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await address.inputValue()).toBe("http://example.org/plain");
    await page.getByLabel(/^A spot was registered/).check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("must begin with https://").waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel(/^A spot was registered/).isChecked()).toBe(true);
    await expectAccessible(page);
    await world().complained("400");
    await world().complained("400");
  });

  it("are tested, turned off and on, changed and deleted", async () => {
    answer = 204;
    const { id } = await make({ url: `${url}/changed` });
    const page = await open(`/webhooks?webhook=${id}`);
    await page.getByText("Nothing has been sent yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send a test" }).press("Enter");
    await page.getByText("The test was delivered.").waitFor();
    expect(received.map(({ type }) => type)).toContain("webhook.test");
    const line = page.getByRole("listitem").filter({ hasText: "A test." });
    await line.getByText("Delivered").waitFor();

    answer = 500;
    await page.getByRole("button", { name: "Send a test" }).press("Enter");
    await page.getByText("The test was not delivered: answered 500").waitFor();
    await page.getByText("Last attempt: answered 500").waitFor();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("The webhook is off. Nothing is sent to it.").waitFor();
    await page.getByRole("button", { name: "Turn on" }).and(page.locator(":focus")).waitFor();
    await page.getByText("Turn the webhook on first.").waitFor();
    expect((await get(id)).enabled).toBe(false);
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("The webhook is on.").waitFor();
    expect((await get(id)).enabled).toBe(true);

    await page.getByLabel(/^A claim was cancelled/).check();
    await page.getByLabel("Format").selectOption("chat");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The webhook is saved.").waitFor();
    expect(await get(id)).toMatchObject({
      types: ["spot.registered", "claim.cancelled"],
      format: "chat",
    });

    await page.getByText("Delete the webhook").click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("The webhook is deleted.").waitFor();
    await page.getByRole("button", { name: "Add a webhook" }).waitFor();
    expect((await webhooks()).map((it) => it.id)).not.toContain(id);
  });

  it("show what became of each event, by state and page by page, and send it again", async () => {
    answer = 500;
    const { id } = await make({ url: `${url}/deliveries` });
    const before = received.length;
    const owner = await world().person("Owner of many");
    for (let spot = 0; spot < 21; spot++) await registerSpot(owner);
    await until("each was tried", () => received.length >= before + 21);
    const page = await open(`/webhooks?webhook=${id}`);
    await page.getByText("1 to 20 of 21").waitFor();
    await page.getByText("Last attempt: answered 500").first().waitFor();
    const next = page.getByText(/^Next attempt: /).first();
    await next.waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Older" }).press("Enter");
    await page.getByText("21 to 21 of 21").waitFor();
    await page.getByText("Last attempt: answered 500").waitFor();
    await page.getByRole("button", { name: "Older" }).and(page.locator(":focus")).waitFor();
    await page.reload();
    await page.getByText("21 to 21 of 21").waitFor();

    answer = 204;
    const line = page.getByRole("listitem").filter({ hasText: "A spot was registered." });
    await line.getByRole("button", { name: /^Send again: A spot was registered\./ }).press("Enter");
    await page.getByText(/^1 event is sent again, up to position \d+\.$/).waitFor();
    const sent = received.at(before)?.id;
    await until("it was sent again", () => received.filter((it) => it.id === sent).length > 1);

    await page.getByRole("button", { name: "Delivered", exact: true }).click();
    await page.getByText("Delivered", { exact: true }).nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get("state")).toBe("delivered");
    await page.getByLabel("All events after position").fill("0");
    const form = page.getByRole("form", { name: "Send again" });
    await form.getByRole("button", { name: "Send again" }).click();
    await page.getByText(/^\d+ events are sent again, up to position \d+\.$/).waitFor();
    await page.getByRole("button", { name: "All that were given up" }).click();
    await page.getByText(/There is nothing to send again|sent again, up to/).waitFor();
    await expectAccessible(page);
  });

  it("are where the message leads that says that one was turned off", async () => {
    answer = 410;
    const { id } = await make({ url: `${url}/gone` });
    await registerSpot(await world().person("Owner"));
    await until("it was turned off", async () => !(await get(id)).enabled);
    const page = await open("/inbox", { locale: "de-DE" });
    const line = page.getByRole("listitem").filter({ hasText: "Ein Webhook wurde abgeschaltet" });
    await line.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    await page.getByText(`${url}/gone`).waitFor();
  });
});
