import { describe, expect, it } from "@jest/globals";
import { scopes } from "../../../src/contract/route.ts";
import { scopes as shown } from "../../../src/web/screens/keys/words.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at: string;
}

describe("the screen of keys", () => {
  it("knows the scopes of the API", () => {
    expect(shown).toEqual(scopes);
  });
});

describeInBrowser("the keys of machines", (world) => {
  const keys = () => world().administrator().read<readonly Key[]>("/admin/keys");

  it("are made, show their secret once, and are withdrawn", async () => {
    const page = await world().open(world().administrator(), "/keys");
    await page.getByRole("button", { name: "Add a key" }).click();
    await page.getByLabel("Name").fill("Barrier");
    await page.getByLabel("Ask at the gate who may pass").check();
    await page.getByLabel("Last day").fill("2031-03-03");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add", exact: true }).click();

    await page.getByText("The key is added. Its secret is shown only now.").waitFor();
    const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue();
    expect(secret).toMatch(/^parking_[\w-]{43}$/);
    const [made] = await keys();
    expect(made).toMatchObject({ name: "Barrier", scopes: ["gate"] });
    expect(made?.expires_at).toMatch(/^2031-03-0[34]T/); // midnight, in the building's zone
    await page.getByText(/until .*2031 · made by .* · not used yet/).waitFor();
    await expectAccessible(page);

    await page.reload();
    await page.getByText("not used yet").waitFor();
    expect(await page.getByRole("textbox", { name: "Secret" }).count()).toBe(0);

    await page.getByText("Withdraw", { exact: true }).click();
    await page.getByRole("button", { name: "Withdraw for good" }).click();
    await page.getByText("The key Barrier is withdrawn.").waitFor();
    await page.getByText("No machine has a key").waitFor();
    expect(await keys()).toEqual([]);
  });
});
