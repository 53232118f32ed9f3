import { expect, it } from "@jest/globals";
import type { Window } from "../support/building.ts";
import { hours } from "../support/building.ts";
import { offerOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

const windowsOf = async (owner: Resident) => {
  const path = `/availabilities?owner_id=${owner.id}`;
  return (await owner.ask<{ availabilities: Window[] }>("GET", path)).body.availabilities;
};

describeInBrowser("the screens of somebody who has a spot", (world) => {
  it("registers a spot, corrects it, and removes it", async () => {
    const owner = await world().person("Registrar");
    const page = await world().open(owner, "/spots");
    await page.getByText("You have no parking spot here yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Register a spot" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Spot number").fill("<i>R</i>-1");
    await dialog.getByLabel("Section").fill("North & South");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Register a spot" }).click();

    await page.getByRole("heading", { name: "<i>R</i>-1" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Spot number").fill("R-1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "R-1", exact: true }).waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByRole("button", { name: "Remove this spot" }).click();
    await dialog.getByRole("button", { name: "Remove for good" }).click();
    await page.getByText("You have no parking spot here yet").waitFor();
  });

  it("says why a number is refused, in the form", async () => {
    const taken = await registerSpot(await world().person("First"));
    const page = await world().open(await world().person("Second"), "/spots?register=yes");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Spot number").fill(taken.spot_number);
    await dialog.getByLabel("Section").fill("North");
    await dialog.getByRole("button", { name: "Register a spot" }).click();

    expect(await dialog.getByRole("alert").innerText()).toBe(
      "A parking spot with this number already exists",
    );
    await world().complained("409");
  });

  it("shares a spot every week, and skips what is shared already", async () => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?share=${spot.id}`);
    const dialog = page.getByRole("dialog", { name: `Share ${spot.spot_number}` });
    await dialog.getByRole("button", { name: "Every week" }).click();
    for (const day of ["Mon", "Tue", "Wed", "Thu"]) {
      await dialog.getByRole("checkbox", { name: day }).uncheck();
    }
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Share 4 times" }).click();
    await page.getByText("Your spot is shared at 4 times.").waitFor();
    expect(await windowsOf(owner)).toHaveLength(4);

    await page.getByRole("button", { name: "Share", exact: true }).click();
    await dialog.getByRole("button", { name: "Every week" }).click();
    expect(await dialog.getByText("Already shared").count()).toBe(4);
  });

  it("shares a spot once", async () => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    const before = tomorrow();
    const page = await world().open(owner, `/spots?share=${spot.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Share", exact: true }).click();

    await page.getByText("Your spot is shared.").waitFor();
    const [window] = await windowsOf(owner);
    // It may have become midnight meanwhile.
    expect([before, tomorrow()].map((day) => `${day}T08:00:00.000Z`)).toContain(window?.start_time);
  });

  it("changes a window, withdraws it, and undoes that", async () => {
    const owner = await world().person("Withdrawer");
    await offerOf(owner);
    const page = await world().open(owner, "/spots");
    await page.getByRole("button", { name: /^Change / }).click();
    const until = page.getByRole("dialog").getByRole("group", { name: "Until" });
    await until.getByLabel("Date").fill(hours(30).slice(0, 10));
    await until.getByLabel("Time").fill(hours(30).slice(11, 16));
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The times are changed.").waitFor();
    expect(await windowsOf(owner)).toMatchObject([{ end_time: hours(30) }]);

    await page.getByRole("button", { name: /^Withdraw / }).click();
    await page.getByText("You do not share it at the moment.").waitFor();
    expect(await windowsOf(owner)).toEqual([]);

    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /^Withdraw / }).waitFor();
    expect(await windowsOf(owner)).toMatchObject([{ start_time: hours(20), end_time: hours(30) }]);
  });

  it("takes all free windows of a period back at once, and leaves what is claimed", async () => {
    const owner = await world().person("Away");
    const { spot, window } = await offerOf(owner);
    const more = { spot_id: spot.id, start_time: hours(30), end_time: hours(32) };
    await owner.ask("POST", "/availabilities", more);
    const claimer = await world().person("Claimer");
    const times = { start_time: hours(21), end_time: hours(22) };
    await claimer.ask("POST", "/claims", { availability_id: window.id, ...times });

    const page = await world().open(owner, `/spots?withdraw=${spot.id}`);
    const dialog = page.getByRole("dialog");
    for (const [name, at] of [
      ["From", hours(10)],
      ["Until", hours(40)],
    ] as const) {
      const field = dialog.getByRole("group", { name });
      await field.getByLabel("Date").fill(at.slice(0, 10));
      await field.getByLabel("Time").fill(at.slice(11, 16));
    }
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Withdraw 1 time" }).click();
    await page.getByText("1 time is withdrawn.").waitFor();

    expect(await windowsOf(owner)).toMatchObject([{ id: window.id }]);
  });

  it("reads in the inbox who did what, and goes to the spot", async () => {
    const owner = await world().person("Reader");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Claimer");
    const times = { start_time: hours(21), end_time: hours(22) };
    await claimer.ask("POST", "/claims", { availability_id: window.id, ...times });
    const page = await world().open(owner);
    // One for the approval of the account, one for the claim.
    await page.getByRole("link", { name: "Inbox 2 unread" }).click();
    await expectAccessible(page);
    const line = page.getByRole("listitem").filter({ hasText: spot.spot_number });
    await line.getByRole("link", { name: "Open" }).click();

    await page.getByRole("heading", { name: spot.spot_number }).waitFor();
    await page.getByText(/^Lent /).waitFor();
    await page.getByRole("link", { name: "Inbox 1 unread" }).click();
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
    const path = "/notifications?is_read=false";
    expect((await owner.ask<{ total: number }>("GET", path)).body.total).toBe(0);
  });

  it("shows own spots on the board as shared and lent", async () => {
    const owner = await world().person("Viewer");
    const { spot, window } = await offerOf(owner);
    const page = await world().open(owner, "/?days=3");
    await page.getByRole("button", { name: `${spot.spot_number}: Shared` }).waitFor();
    const claimer = await world().person("Claimer");
    const times = { start_time: hours(21), end_time: hours(22) };
    await claimer.ask("POST", "/claims", { availability_id: window.id, ...times });
    await page.reload();

    await page.getByRole("button", { name: `${spot.spot_number}: Lent` }).click();
    await page.getByRole("heading", { level: 1, name: "Your spots" }).waitFor();
  });
});
