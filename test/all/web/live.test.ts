import { it } from "@jest/globals";
import { offerOf } from "./offer.ts";
import {
  describeInBrowser,
  expectAccessible,
  openLive,
  type Resident,
  setClockBack,
} from "./open-page.ts";

/** Far less than the minute after which a page reads again by itself. */
const SOON = { timeout: 30_000 };

describeInBrowser("what others do", (world) => {
  const claim = (
    claimer: Resident,
    { id, start_time, end_time }: Awaited<ReturnType<typeof offerOf>>["window"],
  ) =>
    claimer.ask<{ claim: { id: string } }>("POST", "/claims", {
      availability_id: id,
      start_time,
      end_time,
    });

  it("moves the board at once, and the board of a third too", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const [page, other] = [
      await openLive(world(), claimer),
      await openLive(world(), await world().person("Third")),
    ];
    const free = { name: `${spot.spot_number}: Free` };
    await page.getByRole("button", free).waitFor();
    await other.getByRole("button", free).waitFor();

    const { body } = await claim(claimer, window);
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor(SOON);
    await other.getByRole("button", free).waitFor({ state: "detached", ...SOON });

    await claimer.ask("DELETE", `/claims/${body.claim.id}`);
    await other.getByRole("button", free).waitFor(SOON);
  });

  it("is shown soon where the clock of the device was set back", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const page = await openLive(world(), await world().person("Late"));
    const free = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    await free.waitFor();
    const { body } = await claim(claimer, window);
    await free.waitFor({ state: "detached", ...SOON });

    await setClockBack(page);
    await claimer.ask("DELETE", `/claims/${body.claim.id}`);
    await free.waitFor(SOON);
  });

  it("is announced politely, and counted", async () => {
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner);
    const page = await openLive(world(), owner);
    // The approval is one.
    await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor(SOON);
    await claim(await world().person("Claimer"), window);
    await page.getByRole("link", { name: "Inbox 2 unread" }).waitFor(SOON);
    const told = page.getByRole("status").filter({ hasText: spot.spot_number });
    await told.waitFor(SOON);
    await expectAccessible(page);
    await told.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });

  it("is heard of again after the stream was cut", async () => {
    const owner = await world().person("Owner");
    const page = await world().blank();
    let cuts = 0;
    await page.route("**/api/events", (route) => {
      cuts += 1;
      return cuts <= 2 ? route.abort("connectionreset") : route.continue();
    });
    await page.goto(`${world().origin}/board`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill(owner.email);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForResponse("**/api/events");
    const { spot } = await offerOf(owner);
    await page.getByText(spot.spot_number, { exact: true }).waitFor(SOON);
    await world().complained("ERR_CONNECTION_RESET", 2);
  });
});
