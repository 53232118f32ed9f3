import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./in-browser.ts";

describeInBrowser("/graphiql of a service under development", (world) => {
  async function openAs(name: string): Promise<Page> {
    const page = await world.context.newPage();
    await page.goto(`${world.origin}/graphiql`);
    await page.getByRole("button", { name }).click();
    return page;
  }

  const showsSchema = async (page: Page) => {
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.locator(".graphiql-doc-explorer-content", { hasText: "ClaimConnection" }).waitFor();
  };

  /** The button does nothing before the editor is there. */
  async function execute(page: Page): Promise<void> {
    await page.locator(".graphiql-query-editor .view-line", { hasText: "spotNumber" }).waitFor();
    await page.getByRole("button", { name: "Execute query" }).click();
  }

  it("signs a resident in, has the schema at once, and keeps both over a reload", async () => {
    const page = await openAs("Maria Silva");
    await page.getByText("Signed in as maria@demo.example").waitFor();
    expect(page.url()).toBe(`${world.origin}/graphiql`);
    await page.reload();

    await page.getByText("Signed in as maria@demo.example").waitFor();
    await execute(page);
    await page.locator(".result-window", { hasText: "Maria Silva" }).waitFor();
    await showsSchema(page);
  });

  it("changes to somebody else, and asks again when a token is refused", async () => {
    const page = await openAs("Maria Silva");
    await page.getByRole("button", { name: "Sign in as somebody else" }).click();
    await page.getByRole("button", { name: "Omar Haddad" }).click();
    await page.getByText("Signed in as omar@demo.example").waitFor();

    await page.route("**/api/graphql", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: "Bearer old" } }),
    );
    await execute(page);
    await page.getByText("The token was refused.").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await world.complained("401");
  });
});
