import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { at, claimOf, claimsOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, pressUntil } from "./open-page.ts";
import { timeField } from "./steps.ts";

describeInBrowser("claiming on the board", (world) => {
  it("claims a window by mouse, takes it back, and leaves no step in the browser's history", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const page = await world().open(claimer, "/claims");
    const free = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    const yours = page.getByRole("button", { name: `${spot.spot_number}: Yours` });
    const dialog = page.getByRole("dialog");
    const claimIt = async () => {
      await free.click();
      await page.getByRole("dialog", { name: `Claim ${spot.spot_number}` }).waitFor();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Claim" }).click();
      await dialog.getByText(`${spot.spot_number} is yours`).waitFor();
    };
    await page.getByRole("link", { name: "Board" }).click();
    await claimIt();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);
    await dialog.getByRole("button", { name: "Add to calendar" }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Undo" }).click();
    await free.waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await claimsOf(claimer)).toEqual([]);

    await claimIt();
    // What a reload shows is the answer, too.
    await page.reload();
    await dialog.getByText(`${spot.spot_number} is yours`).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await yours.waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/board");

    // A closed dialog leaves no step that shows nothing else.
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Your claims" }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it("names each bar by the text that it shows", async () => {
    const owner = await world().person("Owner");
    const claimer = await world().person("Reader");
    const { window: free } = await offerOf(owner);
    const { window } = await offerOf(owner);
    await claimOf(claimer, window);
    // On a single day, a bar has room for its times.
    const board = `?days=1&section=Browser&date=${free.start_time.slice(0, 10)}`;
    for (const [who, path, states] of [
      [claimer, "/board", ["free", "yours"]],
      [owner, "/board", ["shared", "lent"]],
      [await world().person("Third"), "/board", ["free", "taken"]],
      [world().administrator(), "/garage", ["free", "taken"]],
    ] as const) {
      const page = await world().open(who, path + board);
      for (const state of states) await page.locator(`.slot.${state} .times`).first().waitFor();
      await expectAccessible(page);
    }
  });

  it("claims the part that the mouse is dragged over", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Dragger");
    const page = await world().open(claimer, "/board?days=3");
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    await bar.waitFor();
    const { width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    // Waits until the bar does not move any more.
    const moveTo = (part: number) => bar.hover({ position: { x: width * part, y: height / 2 } });
    await moveTo(1 / 3);
    await page.mouse.down();
    await moveTo(1 / 2);
    await moveTo(2 / 3);
    await page.mouse.up();
    await page.getByRole("dialog").getByRole("button", { name: "Claim" }).click();
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();

    // Six hours from 20 on: the middle third.
    expect(await claimsOf(claimer)).toMatchObject([
      { availability_id: window.id, start_time: hours(22), end_time: hours(24) },
    ]);
  });

  it("claims by keyboard alone", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Typist");
    const page = await world().open(claimer, "/board?section=Browser");
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    await bar.waitFor();
    // Tab leads into the board, and the arrow keys from bar to bar.
    await pressUntil(page, "Tab", page.locator("button.slot"));
    await pressUntil(page, "ArrowDown", bar);
    await page.keyboard.press("Enter");
    const claimIt = page.getByRole("dialog").getByRole("button", { name: "Claim" });
    await claimIt.waitFor();
    await pressUntil(page, "Tab", claimIt);
    await page.keyboard.press("Enter");

    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
    await page.getByRole("dialog", { name: `${spot.spot_number} is yours` }).waitFor();
    await page.keyboard.press("Escape");
    // The focus is back on the bar, so the person goes on from there.
    await page.locator(".slot.yours:focus").waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);
  });

  it("shows the refusal of a rule beside the form", async () => {
    const owner = await world().person("Owner");
    const { spot } = await offerOf(owner, at(1, "08:00"), at(1, "18:00"));
    const page = await world().open(await world().person("Refused"), "/board?view=table");
    await page
      .getByRole("row", { name: spot.spot_number })
      .getByRole("button", { name: "Claim" })
      .click();
    const dialog = page.getByRole("dialog");
    const until = timeField(dialog, "Until");
    await until.fill("18:30");
    await dialog.getByText("Not all of this time is free.").waitFor();
    expect(await dialog.getByRole("button", { name: "Claim" }).isDisabled()).toBe(true);
    await until.fill("18:00");
    await world().setBuilding({ longest_claim_minutes: 60 });
    await dialog.getByRole("button", { name: "Claim" }).click();
    await dialog
      .getByRole("alert")
      .getByText("The claim is longer than the building allows")
      .waitFor();
    await expectAccessible(page);
    await world().complained("400");
  });

  it("proposes what the limits of the building allow, and offers no undo that would fail", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Limited");
    await world().setBuilding({
      claim_notice_minutes: 22 * 60,
      longest_claim_minutes: 60,
      cancellation_cutoff_minutes: 48 * 60,
    });
    const page = await world().open(claimer, "/board?days=3");
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Claim" }).click();
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);

    const answer = page.getByRole("dialog");
    await answer.getByText("It can no longer be cancelled").waitFor();
    expect(await answer.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });

  it("gives a window to one of two people, and shows the other that it is gone", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const rivals = [await world().person("Rival one"), await world().person("Rival two")] as const;
    const pages = await Promise.all(rivals.map((rival) => world().open(rival, "/board")));
    for (const page of pages) {
      await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    }
    // Both ask before either is answered: the other page would hear of it.
    const { promise: bothAsk, resolve: go } = Promise.withResolvers<void>();
    let asked = 0;
    for (const page of pages) {
      await page.route("**/api/claims", async (route) => {
        if (route.request().method() === "POST") {
          asked += 1;
          if (asked === pages.length) go();
          await bothAsk;
        }
        await route.continue();
      });
    }
    const claim = (page: Page) =>
      page.getByRole("dialog").getByRole("button", { name: "Claim" }).click();
    await Promise.all(pages.map(claim));

    const lost = "Not all of this time is free.";
    await Promise.any(pages.map((page) => page.getByText(lost).waitFor()));
    const made = await Promise.all(rivals.map(claimsOf));
    expect(made.flat()).toMatchObject([{ status: "active" }]);
    await world().complained("400");
  });

  it("proposes the usual plate for a claim, and shows it to the owner", async () => {
    const owner = await world().person("Host of cars");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Driver");
    const page = await world().open(claimer, "/profile");
    await page.getByLabel("Usual number plate").fill("B-DR 1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();

    await page.goto(`${world().origin}/board?window=${window.id}`);
    const dialog = page.getByRole("dialog");
    const plate = dialog.getByLabel("Number plate");
    await plate.waitFor();
    expect(await plate.inputValue()).toBe("B-DR 1");
    await dialog.getByLabel("Guest").fill("Ada Lovelace");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Claim" }).click();
    await page.getByText(`${spot.spot_number} is yours`).waitFor();

    expect(await claimsOf(claimer)).toMatchObject([{ guest: "Ada Lovelace", vehicle: "B-DR 1" }]);
    await page.goto(`${world().origin}/claims`);
    await page.getByText("Ada Lovelace · B-DR 1").waitFor();

    const ofOwner = await world().open(owner, "/spots");
    await ofOwner.getByRole("button", { name: /Lent/ }).first().click();
    await ofOwner.getByRole("dialog").getByText("Ada Lovelace · B-DR 1").waitFor();
    await expectAccessible(ofOwner);
  });

  it("changes guest and plate, and keeps them where a cancelled claim is claimed again", async () => {
    const { spot, window } = await offerOf(await world().person("Another host"));
    const claimer = await world().person("Changing guests");
    const { id } = await claimOf(claimer, window, { guest: "Ada", vehicle: "X 1" });
    const page = await world().open(claimer, "/claims");
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: spot.spot_number });
    await dialog.getByLabel("Guest").fill("");
    await dialog.getByLabel("Number plate").fill("X 2");
    await expectAccessible(page);
    // The claims are read again so late that the row has what was before.
    const isUndone = Promise.withResolvers<void>();
    await page.route("**/api/graphql", async (route) => {
      await isUndone.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your claim is saved.").waitFor();
    const changed = await claimer.read(`/claims/${id}`);
    expect(changed).toMatchObject({ vehicle: "X 2" });
    expect(changed).not.toHaveProperty("guest");

    await page.getByRole("button", { name: "Cancel claim" }).click();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("is yours again").waitFor();
    isUndone.resolve();
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    expect(await claimer.read("/claims?status=active")).toMatchObject([{ vehicle: "X 2" }]);
  });
});
