import { expect, it } from "@jest/globals";
import { claimFor, claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("the inbox", (world) => {
  it("says in the language of the page what happened, with its times", async () => {
    const { owner, spot } = await claimFor(world(), await world().person("Gast"));
    const page = await world().open(owner, "/inbox", { locale: "de-DE" });
    await page.getByText(` hat Ihren Stellplatz ${spot.spot_number} reserviert: `).waitFor();
    await expectAccessible(page);
  });

  it("leads a claimer to their claim, and the owner to the spot", async () => {
    const claimer = await world().person("Claimer");
    const { owner, spot, window, claim } = await claimFor(world(), claimer);
    const cancellation = { status: "cancelled", reason: "The lift is broken" };
    await world().administrator().ask("PUT", `/admin/claims/${claim.id}`, cancellation);

    for (const [person, path] of [
      [claimer, `/claims?claim=${claim.id}`],
      [owner, `/spots?spot=${spot.id}&week=${window.start_time.slice(0, 10)}`],
    ] as const) {
      const page = await world().open(person, "/inbox");
      const line = page.getByRole("listitem").filter({ hasText: "The lift is broken" });
      expect(await line.getByRole("link").getAttribute("href")).toBe(path);
    }
  });

  it("has a message read by opening it, with one tap", async () => {
    const { owner, spot } = await claimFor(world(), await world().person("Claimer"));
    const page = await world().open(owner, "/inbox");
    await page.getByRole("link", { name: `Claimer claimed your spot ${spot.spot_number}` }).click();

    await page.getByRole("heading", { level: 1, name: "Your spots" }).waitFor();
    await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor();
  });

  it("marks all as read, also those that are not shown", async () => {
    const owner = await world().person("Owner");
    const { window } = await offerOf(owner);
    const claimer = await world().person("Claimer");
    for (let count = 0; count < 26; count++) {
      const { id } = await claimOf(claimer, window);
      await claimer.ask("DELETE", `/claims/${id}`);
    }
    const page = await world().open(owner, "/inbox");
    const main = page.getByRole("main");
    // One says that the account was approved.
    await main.getByText("53 unread").waitFor();
    let asked = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") asked += 1;
    });
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await main.getByText("unread").waitFor({ state: "detached" });
    expect(asked).toBe(1);
    expect(await owner.read("/notifications?is_read=false")).toEqual([]);
  });
});
