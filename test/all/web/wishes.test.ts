import { expect, it } from "@jest/globals";
import { hours } from "../../support/building.ts";
import type { Wish } from "../../support/wishes.ts";
import { FROM, offerOf, registerSpot, UNTIL } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

const wishesOf = (person: Resident) => person.read<readonly Wish[]>("/wishes");
const wish = async (person: Resident) =>
  (await person.ask<{ wish: Wish }>("POST", "/wishes", { start_time: FROM, end_time: UNTIL })).body
    .wish;

describeInBrowser("waiting for a spot", (world) => {
  it("is offered where nothing is free, done by keyboard, and ended", async () => {
    const seeker = await world().person("Seeker");
    const page = await world().open(seeker, `/?start=${FROM}&end=${UNTIL}`);
    await page.getByText("Nothing is free at that time").waitFor();
    await page.getByLabel("Where", { exact: true }).selectOption({ index: 1 });
    await expectAccessible(page);
    await page.getByRole("button", { name: "Tell me when something is free" }).press("Enter");

    await page.getByText("You are waiting for a spot at this time").waitFor();
    expect(await wishesOf(seeker)).toMatchObject([
      { start_time: FROM, end_time: UNTIL, building_section: expect.any(String) },
    ]);
    await page.getByRole("link", { name: "See what you are waiting for" }).click();

    await page.getByText("Nothing is free yet.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Stop waiting/ }).press("Enter");
    await page.getByText("You are no longer waiting for").waitFor();
    expect(await wishesOf(seeker)).toEqual([]);
  });

  it("is offered where something is free, for one's own section", async () => {
    const [from, until] = [hours(2_050), hours(2_053)];
    await offerOf(await world().person("Owner"), from, until);
    const seeker = await world().person("Chooser");
    await registerSpot(seeker);
    const page = await world().open(seeker, `/?start=${from}&end=${until}`);
    const more = page.getByRole("button", { name: "Tell me when another spot is free" });
    await more.press("Enter");
    const ask = page.getByRole("button", { name: "Tell me when something is free" });
    await ask.waitFor();
    await expectAccessible(page);
    await more.press("Enter");
    await ask.waitFor({ state: "detached" });
    await more.press("Enter");
    await ask.press("Enter");
    await page.getByText("You are waiting for a spot at this time").waitFor();
    expect(await wishesOf(seeker)).toMatchObject([{ building_section: "Browser" }]);
  });

  it("leads from the message to the claim, and says what became of it", async () => {
    const seeker = await world().person("Seeker");
    const { id } = await wish(seeker);
    const { spot } = await offerOf(await world().person("Owner"), FROM, UNTIL);
    const page = await world().open(seeker, "/inbox");
    const free = `${spot.spot_number}, which you are waiting for, is free`;
    await page.getByRole("link", { name: free }).click();

    expect(new URL(page.url()).searchParams.get("wish")).toBe(id);
    await page.getByText(`${spot.spot_number} is free.`).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Claim" }).click();

    await page.getByText(`${spot.spot_number} is yours`).waitFor();
    await page.getByRole("button", { name: /^Remove/ }).waitFor();
    expect(await wishesOf(seeker)).toMatchObject([{ claim_id: expect.any(String) }]);
  });

  it("says until when a window is kept, and to others that it is", async () => {
    await world().setBuilding({ offer_minutes: 30 });
    const [seeker, other] = [await world().person("Seeker"), await world().person("Other")];
    await wish(seeker);
    const { window } = await offerOf(await world().person("Owner"), FROM, UNTIL);
    const page = await world().open(seeker, "/claims");
    await page.getByText(/It is kept for you until \w{3}\W.*\d\d:\d\d\./).waitFor();
    const others = await world().open(other, `/?window=${window.id}`);
    await others.getByRole("dialog").getByRole("button", { name: "Claim" }).click();
    await others
      .getByRole("alert")
      .getByText(/^Until \w{3}\W.*\d\d:\d\d this is offered/)
      .waitFor();
    await world().complained("409");
  });
});
