import type { BrowserContext, Locator, Page } from "playwright-core";

/** What a person does at /docs, and what the page shows. */
export interface SwaggerUi {
  readonly page: Page;
  /** Presses "Authorize" and picks one of the demo people in the pop-up. */
  signInAs(name: string): Promise<void>;
  /** Presses "Logout" in the same dialog. */
  signOut(): Promise<void>;
  /** Loads the page anew in the same tab. */
  reload(): Promise<void>;
  /** Opens an operation, and says how much room it takes. */
  open(operation: string): Promise<{ readonly height: number; readonly width: number }>;
  /** Presses "Try it out", fills the form in and presses "Execute". */
  tryOut<Body>(operation: string, form?: Form): Promise<{ status: string; body: Body }>;
}

interface Form {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export async function openSwaggerUi(context: BrowserContext, origin: string): Promise<SwaggerUi> {
  const page = await context.newPage();
  await page.goto(`${origin}/docs`);
  const isShown = () => page.locator(".opblock").first().waitFor();
  await isShown();
  return {
    page,
    signInAs: (name) => signIn(page, name),
    signOut: () => signOut(page),
    async reload() {
      // Without the address of an operation, which would open it.
      await page.goto(`${origin}/docs/`);
      await isShown();
    },
    async open(operation) {
      const block = page.locator(`.opblock[id$="-${operation}"]`);
      await block.locator(".opblock-summary-control").click();
      await block.locator(".responses-table").waitFor();
      return (await block.boundingBox()) ?? { height: NaN, width: NaN };
    },
    async tryOut(operation, { parameters = {}, body } = {}) {
      const block = page.locator(`.opblock[id$="-${operation}"]`);
      await block.locator(".opblock-summary-control").click();
      await block.getByRole("button", { name: "Try it out" }).click();
      for (const [name, value] of Object.entries(parameters)) {
        await fillIn(block.locator(`[data-param-name="${name}"]`), value);
      }
      if (body) await block.locator("textarea").fill(JSON.stringify(body));
      await block.getByRole("button", { name: "Execute" }).click();
      const answer = block.locator(".live-responses-table .response");
      return {
        status: await answer.locator(".response-col_status").innerText(),
        body: JSON.parse(await answer.locator(".highlight-code code").innerText()),
      };
    },
  };
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  const provider = page.locator(".auth-container", { hasText: "OAuth2" });
  const opened = page.waitForEvent("popup");
  await provider.getByRole("button", { name: "Apply given OAuth2 credentials" }).click();
  const popUp = await opened;
  await Promise.all([popUp.waitForEvent("close"), popUp.getByRole("button", { name }).click()]);
  await provider.getByRole("button", { name: "Remove authorization" }).waitFor();
  await provider.getByRole("button", { name: "Close" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  const provider = page.locator(".auth-container", { hasText: "OAuth2" });
  await provider.getByRole("button", { name: "Remove authorization" }).click();
  await provider.getByRole("button", { name: "Close" }).click();
}

async function fillIn(parameter: Locator, value: string): Promise<void> {
  const choice = parameter.locator("select");
  if ((await choice.count()) > 0) await choice.selectOption(value);
  else await parameter.locator("input").fill(value);
}
