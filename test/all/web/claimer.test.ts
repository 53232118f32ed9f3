import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import type { Claim } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { freeRow } from "./free-row.ts";
import { offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

const claim = async (claimer: Resident, windowId: string): Promise<Claim> => {
  const body = { availability_id: windowId, start_time: hours(21), end_time: hours(24) };
  return (await claimer.ask<{ claim: Claim }>("POST", "/claims", body)).body.claim;
};

const statesOf = async (claimer: Resident) => {
  const { body } = await claimer.ask<{ claims: Claim[] }>("GET", "/claims");
  return body.claims.map(({ status, start_time, end_time }) => [status, start_time, end_time]);
};

describeInBrowser("the screens of somebody who claims", (world) => {
  it("finds what is free from one moment until another, and claims it", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Seeker");
    const page = await world().open(claimer, `/?start=${hours(21)}&end=${hours(23)}`);
    const row = await freeRow(page, spot.spot_number);
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();

    await page.getByText(`${spot.spot_number} is yours`).waitFor();
    expect(await statesOf(claimer)).toEqual([["active", hours(21), hours(23)]]);
    await expectAccessible(page);
  });

  it("leads from the former address of the search to the same search", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const query = `?start=${hours(21)}&end=${hours(23)}`;
    const page = await world().open(await world().person("Bookmarker"), `/find${query}`);
    await freeRow(page, spot.spot_number);

    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/${query}`);
  });

  it("finds what is free for a part of the time", async () => {
    // At a time at which the demo building offers nothing.
    const { spot } = await offerOf(await world().person("Owner"), hours(1_900), hours(1_902));
    const page = await world().open(
      await world().person("Seeker"),
      `/?start=${hours(1_901)}&end=${hours(1_905)}`,
    );
    const parts = page.locator("section", { hasText: "Free for a part of it" });

    await parts.getByText(spot.spot_number).first().waitFor();
  });

  it("changes the times of a claim", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Changer");
    const { id } = await claim(claimer, window.id);
    const page = await world().open(claimer, `/claims?claim=${id}`);
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: `Change your claim of ${spot.spot_number}` });
    await expectAccessible(page);
    const until = dialog.getByRole("group", { name: "Until" });
    const time = hours(25).slice(11, 16);
    await until.getByLabel("Time").fill(time);
    const date = until.getByLabel("Date");
    if (await date.isVisible()) await date.fill(hours(25).slice(0, 10));
    await dialog.getByRole("button", { name: "Save" }).click();

    await page.getByText("Your claim is saved.").waitFor();
    expect(await statesOf(claimer)).toEqual([["active", hours(21), hours(25)]]);
  });

  it("cancels a claim, and undoes it", async () => {
    const { window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Canceller");
    const { id } = await claim(claimer, window.id);
    const page = await world().open(claimer, "/claims");
    await page.getByText("Owner, Apartment").waitFor();
    const contacts: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(`/claims/${id}/contacts`)) contacts.push(request.method());
    });
    await page.getByRole("button", { name: "Cancel claim" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    expect(await statesOf(claimer)).toEqual([["cancelled", hours(21), hours(24)]]);

    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("is yours again").waitFor();
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    expect(await statesOf(claimer)).toContainEqual(["active", hours(21), hours(24)]);
    await expectAccessible(page);
    // Of the cancelled claim there is none, and it is not asked for.
    expect(contacts).toEqual([]);
  });

  it("puts a claim into the calendar", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Planner");
    await claim(claimer, window.id);
    const page = await world().open(claimer, "/claims");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `More for ${spot.spot_number}` }).click();
    await page.getByRole("button", { name: "To calendar" }).click();
    const file = await readFile(await (await download).path(), "utf8");

    const start = hours(21).replace(/[-:]|\.000/g, "");
    expect(file).toContain(`\r\nDTSTART:${start}\r\n`);
    expect(file).toContain(`\r\nSUMMARY:Parking on ${spot.spot_number}\r\n`);
    expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(1);
  });

  it("says what to do where there are no claims yet", async () => {
    const page = await world().open(await world().person("Beginner"), "/claims");
    await page.getByText("You have no claims at the moment").waitFor();
    await expectAccessible(page);

    await page.getByRole("link", { name: "Find a spot" }).click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await expectAccessible(page);
  });
});
