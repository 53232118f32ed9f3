import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Program } from "../../support/program.ts";
import { until } from "../../support/waiting.ts";
import { describeWithProvider, firstScreen, resident, signIn } from "./world.ts";

const GROUPS = {
  AUTH_GROUPS_CLAIM: "groups",
  AUTH_APPROVED_GROUP: "residents",
  AUTH_ADMIN_GROUP: "admins",
  AUTH_CONCIERGE_GROUP: "concierges",
};

describeWithProvider("groups of a real provider", (world) => {
  /** The status of a request with a token that the person gets now, by signing in in a new browser. */
  async function statusAt(service: Program, path: string): Promise<number> {
    const page = await world().page();
    const answer = page.waitForResponse((response) => response.url().endsWith("/token"));
    await page.goto(service.origin);
    await signIn(page);
    const { access_token } = await (await answer).json();
    const headers = { Authorization: `Bearer ${access_token}` };
    let status = 503; // on a busy machine, while the page starts
    await until("an answer", async () => {
      ({ status } = await fetch(`${service.origin}/api${path}`, { headers }));
      return status !== 503;
    });
    return status;
  }
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor();

  it("decide who is approved and who administers, in both directions", async () => {
    const service = await world().start(GROUPS);
    for (const [groups, approved, administrator] of [
      [["residents"], 200, 403],
      [["others", "residents", "admins"], 200, 200],
      [["admins"], 403, 403],
      [[], 403, 403],
      [["residents"], 200, 403],
    ] as const) {
      await world().provider.setGroups(resident.name, groups);
      expect(await statusAt(service, "/claims")).toBe(approved);
      expect(await statusAt(service, "/admin/profiles")).toBe(administrator);
    }
  });

  it("open and close the page to the person", async () => {
    const service = await world().start(GROUPS);
    const open = async () => {
      const page = await world().page();
      await page.goto(service.origin);
      await signIn(page);
      return page;
    };
    await world().provider.setGroups(resident.name, []);
    await shown(await open(), "Your account is no longer approved");
    await world().provider.setGroups(resident.name, ["residents"]);
    await firstScreen(await open()).waitFor();
  });

  it("are named on the page as what decides, and leave administrators nothing to change", async () => {
    const service = await world().start(GROUPS);
    await world().provider.setGroups(resident.name, ["residents", "admins"]);
    const page = await world().page();
    await page.goto(`${service.origin}/accounts`);
    await signIn(page);
    await page.getByText("Your sign-in service decides this").waitFor();
    await page
      .getByRole("button", { name: /^Manage/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Your sign-in service decides this").waitFor();

    expect(await dialog.getByRole("checkbox", { disabled: true }).count()).toBe(3);
    expect(await dialog.getByRole("button", { name: "Save" }).count()).toBe(0);
  });

  it("decide nothing where the settings name none", async () => {
    await world().provider.setGroups(resident.name, []);
    expect(await statusAt(world().service, "/claims")).toBe(200);
  });
});
