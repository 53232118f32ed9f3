import { expect, it } from "@jest/globals";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("the settings of the building", (world) => {
  const settings = async () => {
    const { body } = await world()
      .administrator()
      .ask<{ building: Readonly<Record<string, unknown>> }>("GET", "/building");
    return body.building;
  };

  it("changes name, time zone and limits, and takes a limit away", async () => {
    const page = await world().open(world().administrator(), "/building");
    await page.getByLabel("Name").fill("<b>Elm</b> Court");
    await page.getByLabel("Time zone").selectOption("Europe/Lisbon");
    await page.getByLabel("Longest claim, in minutes").fill("600");
    await page.getByLabel("Most current and future claims of a resident").fill("");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByText("The building is saved.").waitFor();
    expect(await settings()).toMatchObject({
      name: "<b>Elm</b> Court",
      time_zone: "Europe/Lisbon",
      longest_claim_minutes: 600,
      most_active_claims: null,
    });
    // At once, also outside the form, and after a reload.
    await page.getByRole("link", { name: "<b>Elm</b> Court" }).waitFor();
    await page.getByText("All times are in Europe/Lisbon").waitFor();
    await page.reload();
    await page.getByText("All times are in Europe/Lisbon").waitFor();
  });

  it("shows why limits that contradict each other are refused, and keeps what was typed", async () => {
    const page = await world().open(world().administrator(), "/building");
    await page.getByLabel("Shortest claim, in minutes").fill("700");
    await page.getByLabel("Longest claim, in minutes").fill("600");
    await page.getByRole("button", { name: "Save" }).click();

    expect(await page.getByRole("alert").innerText()).toContain(
      "shortest_claim_minutes must not be more than longest_claim_minutes",
    );
    expect(await page.getByLabel("Shortest claim, in minutes").inputValue()).toBe("700");
    await world().complained("400");
  });

  it("fits a phone, in German and in the dark", async () => {
    const page = await world().open(world().administrator(), "/building", {
      locale: "de-DE",
      colorScheme: "dark",
      viewport: { width: 320, height: 640 },
    });
    await page.getByLabel("Zeitzone").waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  it("is refused to a resident, in words", async () => {
    const page = await world().open(await world().person("Curious"), "/building");
    await page.getByText("This screen is for administrators.").waitFor();
  });
});
