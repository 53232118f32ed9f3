import { expect, it } from "@jest/globals";
import { describeInBrowser, PHONE } from "./in-browser.ts";
import { openSwaggerUi } from "./swagger-ui.ts";

describeInBrowser("/docs of a service under development", (world) => {
  it("shows a resident who signs in their dashboard", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    await swaggerUi.signInAs("Maria Silva");

    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({
      status: "200",
      body: { stats: { total_spots: 3 } },
    });
  });

  it("works under the machine's other name", async () => {
    const swaggerUi = await openSwaggerUi(
      world.context,
      world.origin.replace("127.0.0.1", "localhost"),
    );
    await swaggerUi.signInAs("Maria Silva");

    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({ status: "200" });
  });

  it("keeps a person signed in over a reload, until they sign out", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    await swaggerUi.signInAs("Maria Silva");
    await swaggerUi.reload();
    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({ status: "200" });

    await swaggerUi.signOut();
    await swaggerUi.reload();
    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({ status: "401" });
    await world.complained("401");
  });

  it("signs a person out whose token is refused", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    await swaggerUi.signInAs("Maria Silva");
    await swaggerUi.page.route("**/api/dashboard", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: "Bearer old" } }),
    );
    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({ status: "401" });

    await swaggerUi.page.locator(".btn.authorize.unlocked").waitFor();
    await world.complained("401");
  });

  it("shows an operation on 150 lines, and on a phone as wide as that is", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    for (const operation of ["create_claim", "list_claims", "get_dashboard"]) {
      const { height } = await swaggerUi.open(operation);
      // As high as the fonts of the machine make it.
      const line = await swaggerUi.page.evaluate<number>(`(() => {
        const probe = document.querySelector(".opblock.is-open .opblock-body").appendChild(document.createElement("div"));
        probe.textContent = "A line";
        const { height } = probe.getBoundingClientRect();
        probe.remove();
        return height;
      })()`);
      expect(height / line).toBeLessThan(150);
    }

    await swaggerUi.page.setViewportSize(PHONE);
    const width = await swaggerUi.page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(PHONE.width);
  });

  it("has the operations on the first screen, and what they share behind a line", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    const { page } = swaggerUi;
    const first = await page.locator(".opblock").first().boundingBox();
    expect(first?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
    const shared = page.getByRole("heading", { name: "Two people at once" });
    expect(await shared.isVisible()).toBe(false);

    await page.getByText(/^Read first: Signing in, Limits/).click();
    expect(await shared.isVisible()).toBe(true);
    await page.getByRole("cell", { name: "401" }).first().waitFor();
  });

  it("shows of each operation only what others do not have", async () => {
    const swaggerUi = await openSwaggerUi(world.context, world.origin);
    await swaggerUi.open("create_claim");
    const block = swaggerUi.page.locator('.opblock[id$="-create_claim"]');
    const statuses = await block.locator(".response .response-col_status").allInnerTexts();

    expect(statuses.map((text) => text.trim())).toEqual(["201", "400", "403", "404", "409"]);
    const headers = await block.locator(".headers-wrapper tbody tr td:first-child").allInnerTexts();
    expect(headers).toEqual(["Location"]);
  });
});
