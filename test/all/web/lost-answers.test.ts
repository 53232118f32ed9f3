import { expect, it } from "@jest/globals";
import type { Page, Request, Route } from "playwright-core";
import { until } from "../../support/waiting.ts";
import { answerInstead, loseAnswers } from "./network.ts";
import { claimsOf, offerOf } from "./offer.ts";
import { describeInBrowser, type Resident } from "./open-page.ts";

describeInBrowser("an answer that does not come", (world) => {
  /** The form for a claim, and the button that sends it. */
  async function openForm(claimer: Resident) {
    const { spot } = await offerOf(await world().person("Owner"));
    const page = await world().open(claimer, "/board");
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).click();
    const button = page.getByRole("dialog").getByRole("button", { name: "Claim" });
    await button.waitFor();
    const yours = page.getByRole("button", { name: `${spot.spot_number}: Yours` });
    return { page, button, yours };
  }

  const isPost = (request: Request): boolean => request.method() === "POST";
  const keyOf = (request: Request) => request.headers()["idempotency-key"];

  it("is waited for no longer than the service takes, and asked for again under its key", async () => {
    const claimer = await world().person("Unheard");
    const { page, button, yours } = await openForm(claimer);
    const unanswered: Route[] = [];
    const others: Route[] = [];
    let isSilent = true;
    // Nothing else is answered either: the alert goes once anything is.
    await answerInstead(page, async (route) => {
      if (!isSilent) await route.continue();
      else if (isPost(route.request()) && route.request().url().endsWith("/claims"))
        unanswered.push(route);
      else others.push(route);
    });
    await page.clock.install();
    await button.click();
    for (const count of [1, 2]) {
      await until(`request ${count}`, () => unanswered.length === count);
      await page.clock.fastForward(20_000);
    }
    expect(await page.getByRole("alert").innerText()).toMatch("The service is not responding");
    isSilent = false;
    // Those that were given up are gone.
    for (const route of others) await route.continue().catch(() => {});

    await button.click();
    await yours.waitFor();
    const [first, second] = unanswered.map((route) => keyOf(route.request()));
    expect(second).toBe(first);
    expect(await claimsOf(claimer)).toHaveLength(1);
  });

  /** As if the first answer to a POST had come this far. */
  const breakAnswer = (page: Page, rest: "error" | "silence") =>
    page.evaluate(`{
      const { fetch } = globalThis;
      globalThis.fetch = async (...asked) => {
        const answer = await fetch(...asked);
        if (asked[1]?.method !== "POST" || !asked[0].endsWith("/claims")) return answer;
        globalThis.fetch = fetch;
        const beginning = new TextEncoder().encode((await answer.text()).slice(0, 20));
        const body = new ReadableStream({
          start(stream) {
            stream.enqueue(beginning);
            const stop = () => stream.error(new TypeError("network error"));
            if (${rest === "error"}) stop();
            else asked[1].signal?.addEventListener("abort", stop);
          },
        });
        globalThis.isBroken = true;
        return new Response(body, answer);
      };
    }`);

  it.each(["error", "silence"] as const)(
    "that breaks off with %s is asked for again",
    async (rest) => {
      const claimer = await world().person("Cut");
      const { page, button, yours } = await openForm(claimer);
      const sent: Request[] = [];
      page.on("request", (request) => {
        if (isPost(request) && request.url().endsWith("/claims")) sent.push(request);
      });
      await breakAnswer(page, rest);
      await page.clock.install();
      await button.click();
      await until("the broken answer", () => page.evaluate("globalThis.isBroken === true"));
      if (rest === "silence") await page.clock.fastForward(20_000);

      await yours.waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(sent.map(keyOf)).toEqual([expect.anything(), keyOf(sent[0] as Request)]);
      expect(await claimsOf(claimer)).toHaveLength(1);
    },
  );

  it("is that of the first attempt when somebody tries again", async () => {
    const claimer = await world().person("Patient");
    const { page, button, yours } = await openForm(claimer);
    const keys: unknown[] = [];
    // Nothing comes back until the third attempt, but the service hears it all.
    await answerInstead(page, async (route) => {
      const request = route.request();
      if (keys.length > 2) return route.continue();
      if (!isPost(request)) return route.abort("connectionreset");
      if (request.url().endsWith("/claims")) keys.push(keyOf(request));
      if (keys.length > 2) return route.continue();
      await route.fetch();
      return route.abort("connectionreset");
    });
    await button.click();
    expect(await page.getByRole("alert").innerText()).toMatch("The service is not responding");
    await button.click();

    await yours.waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await claimsOf(claimer)).toHaveLength(1);
    await world().complained("ERR_CONNECTION_RESET");
  });

  it("is shown in the form all the same, once it is seen that the claim was made", async () => {
    const claimer = await world().person("Surprised");
    const { page, button } = await openForm(claimer);
    await loseAnswers(page);
    await button.click();
    await page.getByRole("heading", { name: / is yours$/ }).waitFor();
    expect(await claimsOf(claimer)).toHaveLength(1);
    await world().complained("ERR_CONNECTION_RESET", 2);
  });
});
