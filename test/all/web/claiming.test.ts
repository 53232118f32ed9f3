import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimOf, claimsOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("claiming on the board", (world) => {
  it("claims a window by mouse, and takes it back", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const page = await world().open(claimer, "/board");
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    const dialog = page.getByRole("dialog", { name: `Claim ${spot.spot_number}` });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Claim" }).click();

    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);

    const answer = page.getByRole("dialog", { name: `${spot.spot_number} is yours` });
    await answer.getByRole("button", { name: "Add to calendar" }).waitFor();
    await expectAccessible(page);
    await answer.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).waitFor();
    await answer.waitFor({ state: "detached" });
    expect(await claimsOf(claimer)).toEqual([]);
    await expectAccessible(page);

    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    await dialog.getByRole("button", { name: "Claim" }).click();
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
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
    const isOnBoard = () => page.evaluate(`document.activeElement.matches(".slot")`);
    for (let step = 0; step < 40 && !(await isOnBoard()); step++) await page.keyboard.press("Tab");
    const isThere = () =>
      bar.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let step = 0; step < 40 && !(await isThere()); step++) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Claim" }).waitFor();
    const hasFocus = (name: string) =>
      page.evaluate(`document.activeElement.textContent === ${JSON.stringify(name)}`);
    for (let step = 0; step < 20 && !(await hasFocus("Claim")); step++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");

    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
    await page.getByRole("dialog", { name: `${spot.spot_number} is yours` }).waitFor();
    await page.keyboard.press("Escape");
    // The focus is back on the bar, so the person goes on from there.
    await page.locator(".slot.yours:focus").waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);
  });

  it("shows the refusal of a rule beside the form", async () => {
    const tomorrow = hours(24).slice(0, 10);
    const times = [`${tomorrow}T08:00:00.000Z`, `${tomorrow}T18:00:00.000Z`] as const;
    const { spot } = await offerOf(await world().person("Owner"), ...times);
    const page = await world().open(await world().person("Refused"), "/board?view=table");
    await page
      .getByRole("row", { name: spot.spot_number })
      .getByRole("button", { name: "Claim" })
      .click();
    const dialog = page.getByRole("dialog");
    const until = dialog.getByRole("group", { name: "Until" }).getByLabel("Time");
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

  it("does not open the form again when the browser's step back is taken", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Goer back");
    const page = await world().open(claimer, "/claims");
    await page.getByRole("link", { name: "Board" }).click();
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Claim" }).click();
    await dialog.getByText(`${spot.spot_number} is yours`).waitFor();
    // What a reload shows is the answer, too.
    await page.reload();
    await dialog.getByText(`${spot.spot_number} is yours`).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/board");

    // A closed dialog leaves no step that shows nothing else.
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Your claims" }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});
