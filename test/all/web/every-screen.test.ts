import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { addresses } from "../../../src/addresses.ts";
import { hours } from "../../support/building.ts";
import { dayAfter } from "../../support/patterns.ts";
import { offerOf } from "./offer.ts";
import { axeSource, describeInBrowser, type Resident } from "./open-page.ts";

const themes = ["light", "dark"] as const;

/** Those that axe-core leaves out by itself, for they are young. */
const alsoEnabled = ["label-content-name-mismatch", "scrollable-region-focusable"];

/** Goes to a screen as a link does, and waits until it is there. */
const goTo = (page: Page, href: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    history.pushState(null, "", ${JSON.stringify(href)});
    dispatchEvent(new PopStateEvent("popstate"));
    const pause = () => new Promise((resume) => setTimeout(resume, 30));
    do await pause(); while (document.querySelector(".loading"));
  })()`);

const faultsIn = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(`(async () => {
    const rules = Object.fromEntries(${JSON.stringify(alsoEnabled)}.map((it) => [it, { enabled: true }]));
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 300)]));
  })()`);

/** Buttons of one name in entries that say the same: who hears them cannot tell them apart. */
const namedAlike = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const named = [...document.querySelectorAll("main button")]
      .filter((it) => it.checkVisibility())
      .map((it) => {
        const entry = it.closest("li, tr, section, article, form, dialog, [role=group]");
        const title = entry?.getAttribute("aria-label") ?? entry?.textContent;
        return [title ?? "", it.getAttribute("aria-label") ?? it.textContent].join(": ");
      });
    return [...new Set(named.filter((it, index) => named.indexOf(it) < index))];
  })()`);

describeInBrowser("every screen, in both themes and both languages", (world) => {
  let settledPeople = 0;

  /** So that every screen has something to show. */
  async function settled(): Promise<Resident> {
    settledPeople += 1;
    const person = await world().person(`Settled ${settledPeople}`);
    for (const day of [3, 4]) {
      const times = [`${dayAfter(day)}T08:00:00Z`, `${dayAfter(day)}T10:00:00Z`] as const;
      const own = await offerOf(person, ...times);
      const neighbour = await world().person(`Neighbour ${settledPeople} ${day}`);
      const { window } = await offerOf(neighbour, ...times);
      const { start_time, end_time } = window;
      await person.ask("POST", "/claims", { availability_id: window.id, start_time, end_time });
      await person.ask("POST", "/wishes", { start_time: hours(200 + day), end_time: hours(210) });
      await person.ask("PUT", `/parking-spots/${own.spot.id}`, { building_section: "Cellar" });
    }
    return person;
  }

  async function faultsOf(who: Resident, screens: readonly string[]): Promise<unknown> {
    const page = await world().open(who, "/profile");
    const faults: unknown[] = [];
    for (const language of ["en", "de"]) {
      await page.evaluate(`localStorage.setItem("language", "${language}")`);
      await page.reload();
      await page.locator(`html[lang=${language}] main#content`).waitFor();
      // The policy of the page refuses scripts in the markup, but not those of the browser's debugger.
      await page.evaluate(axeSource);
      for (const screen of screens) {
        await goTo(page, screen);
        for (const name of await namedAlike(page)) faults.push([screen, language, "alike", name]);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          for (const fault of await faultsIn(page)) {
            faults.push([screen, language, colorScheme, fault]);
          }
        }
      }
    }
    return faults;
  }

  it("has no fault that axe-core finds for a resident", async () => {
    const { now, board, claims, spots, signs, inbox, profile } = addresses;
    const table = `${board}?view=table`;
    const screens = [now, board, table, claims, spots, signs, inbox, profile];
    expect(await faultsOf(await settled(), screens)).toEqual([]);
  });

  it("has none for an administrator", async () => {
    await settled();
    await world().person("Newcomer", "waiting");
    const webhook = { url: "https://hooks.example.org/axe", types: ["claim.submitted"] };
    await world().administrator().ask("POST", "/admin/webhooks", webhook);
    const { webhooks, spot } = addresses;
    // A spot has its number in its address.
    const named = Object.values(addresses).map((it) => (it === spot ? `${spot}/A-101` : it));
    const screens = [...named, `${webhooks}?add=yes`, "/garage?gate=yes"];
    expect(await faultsOf(world().administrator(), screens)).toEqual([]);
  });
});
