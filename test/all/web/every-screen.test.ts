import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { addresses } from "../../../src/addresses.ts";
import { hours } from "../../support/building.ts";
import { timesOn } from "../../support/free-time.ts";
import { answerInstead } from "./network.ts";
import { claimOf, offerOf, registerSpot, windowOf } from "./offer.ts";
import {
  describeInBrowser,
  expectAccessible,
  faultsIn,
  type Resident,
  type World,
} from "./open-page.ts";
import { PHONE, widthOf } from "./steps.ts";

const { spot: spotScreen, ...screens } = addresses;
const { now, board, claims, spots, signs, inbox, profile, ...restricted } = screens;
const ofEverybody = [now, board, `${board}?view=table`, claims, spots, signs, inbox, profile];
const ofAdministrators = [
  ...Object.values(restricted),
  `${restricted.building}?section=Cellar`,
  `${restricted.people}?invite=yes`,
  `${restricted.webhooks}?add=yes`,
  `${restricted.garage}?gate=yes`,
];

/** Goes to a screen as a link does, and waits until it is there. */
const goTo = (page: Page, href: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    history.pushState(null, "", ${JSON.stringify(href)});
    dispatchEvent(new PopStateEvent("popstate"));
    const pause = () => new Promise((resume) => setTimeout(resume, 30));
    do await pause(); while (document.querySelector(".loading"));
  })()`);

/** Buttons of one name in entries that say the same: a screen reader's user cannot tell them apart. */
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

/** Somebody for whom every screen has something to show. */
async function settled(world: World): Promise<Resident> {
  const person = await world.person("Settled");
  for (const day of [3, 4]) {
    const { start_time, end_time } = timesOn(day, "08:00", "10:00");
    const own = await offerOf(person, start_time, end_time);
    await claimOf(await world.person(`Borrower ${day}`), own.window);
    const { window } = await offerOf(await world.person(`Neighbour ${day}`), start_time, end_time);
    await claimOf(person, window, { guest: "A friend ".repeat(8).trim() });
    await person.ask("POST", "/wishes", { start_time: hours(200 + day), end_time: hours(210) });
    await person.ask("PUT", `/parking-spots/${own.spot.id}`, { building_section: "Cellar" });
  }
  return person;
}

const DESKTOP = { width: 1280, height: 800 };
const SMALL_PHONE = { width: 320, height: 640 };

/** What is wrong with screens in both languages, on a desktop in light and on a phone in dark colours. */
async function faultsOf(world: World, who: Resident, paths: readonly string[]): Promise<unknown[]> {
  const page = await world.open(who, profile);
  const faults: unknown[] = [];
  for (const language of ["en", "de"]) {
    await page.evaluate(`localStorage.setItem("language", "${language}")`);
    await page.reload();
    await page.locator(`html[lang=${language}] main#content`).waitFor();
    for (const path of paths) {
      await goTo(page, path);
      for (const name of await namedAlike(page)) faults.push([path, language, "alike", name]);
      for (const [colorScheme, viewport] of [
        ["light", DESKTOP],
        ["dark", SMALL_PHONE],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        for (const fault of await faultsIn(page)) faults.push([path, language, colorScheme, fault]);
        const width = await widthOf(page);
        if (width > viewport.width) faults.push([path, language, `${width} pixels wide`]);
      }
    }
  }
  return faults;
}

const sources = new URL("../../../src/web/", import.meta.url);

/** Every name that some screen reads from its address. */
async function namesInAddresses(): Promise<readonly string[]> {
  const files = (await readdir(sources, { recursive: true })).filter((it) => /\.tsx?$/.test(it));
  const texts = await Promise.all(files.map((it) => readFile(new URL(it, sources), "utf8")));
  const text = texts.join("\n");
  const read = [...text.matchAll(/query\.(\w+)/g)].map(([, name = ""]) => name);
  const taken = [...text.matchAll(/\{([^{}]*)\} = useRoute\(\)\.query/g)];
  const written = [...text.matchAll(/updateQuery\(\{([^{}]*)\}/g)];
  const named = [...taken, ...written].flatMap(([, list = ""]) =>
    list.split(",").map((it) => it.trim().replace(/\W.*/s, "")),
  );
  return [...new Set([...read, ...named])].filter((name) => name !== "");
}

const hostile = [
  "bogus",
  "9999-99-99",
  "9999-12-31",
  "0001-01-01T00:00",
  "2026-11-22T25:61:00Z",
  "../profile",
  "-1e9",
  "<img src=x>",
  "018f0000-0000-7000-8000-000000000000",
];

describeInBrowser("every screen", (world) => {
  it("is accessible and fits a phone, in both themes and languages, for a resident", async () => {
    const resident = await settled(world());
    expect(await faultsOf(world(), resident, ofEverybody)).toEqual([]);
  }, 300_000);

  it("is so for an administrator", async () => {
    await settled(world());
    await world().person("Newcomer", "waiting");
    const url = `https://hooks.example.org/${"a-rather-long-part-of-an-address/".repeat(4)}`;
    const administrator = world().administrator();
    await administrator.ask("POST", "/admin/webhooks", { url, types: ["claim.submitted"] });
    const paths = [`${spotScreen}/A-101`, ...ofEverybody, ...ofAdministrators];
    expect(await faultsOf(world(), administrator, paths)).toEqual([]);
  }, 300_000);

  it("fits a phone though names have no spaces, and with text of 200 %", async () => {
    const name = "W".repeat(80);
    const owner = await world().person(name);
    await owner.ask("PUT", "/profile", { full_name: name, apartment_number: "W".repeat(32) });
    const spot = await registerSpot(owner, name);
    await owner.ask("PUT", `/parking-spots/${spot.id}`, { notes: name });
    const { start_time, end_time } = timesOn(1, "08:00", "18:00");
    const claimer = await world().person(name);
    const window = await windowOf(owner, spot, start_time, end_time);
    await claimOf(claimer, window, { guest: name });
    const tooWide = async (page: Page, paths: readonly string[], prepare = "") => {
      for (const path of paths) {
        await goTo(page, path);
        await page.evaluate(prepare);
        expect(`${path} ${await widthOf(page)}`).toBe(`${path} ${PHONE.viewport.width}`);
      }
    };
    for (const who of [owner, claimer]) {
      const page = await world().open(who, "/", PHONE);
      const dayOfClaim = `${board}?days=1&date=${start_time.slice(0, 10)}`;
      await tooWide(page, [...ofEverybody, dayOfClaim, `${spotScreen}/${spot.spot_number}`]);
    }
    const page = await world().open(world().administrator(), "/", PHONE);
    const all = [...ofEverybody, ...ofAdministrators];
    await tooWide(page, all);
    await tooWide(page, all, 'document.documentElement.style.fontSize = "200%"');
    await owner.ask("DELETE", `/parking-spots/${spot.id}`);
  }, 300_000);

  it("has each tab on one line, in German, with text of 200 % and on a narrow phone", async () => {
    for (const [width, size] of [
      [320, 200],
      [390, 200],
    ] as const) {
      const viewport = { width, height: 844 };
      const page = await world().open(world().administrator(), "/", { locale: "de", viewport });
      await page.evaluate(`document.documentElement.style.fontSize = "${size}%"`);
      const names = page.locator(".tab > span:not(.count)");
      await names.last().waitFor();
      const found = await names.evaluateAll((all) =>
        all.map((it) => {
          const range = it.ownerDocument.createRange();
          range.selectNodeContents(it);
          return [it.textContent, range.getClientRects().length];
        }),
      );
      expect(found).toEqual(
        ["Jetzt", "Übersicht", "Reserviert", "Stellplätze", "Eingang"].map((it) => [it, 1]),
      );
    }
  });

  it("is refused to a resident in words, where it is for administrators", async () => {
    const page = await world().open(await world().person("Curious"), profile);
    for (const path of Object.values(restricted)) {
      await goTo(page, path);
      await page.getByText("This screen is for administrators.").waitFor();
    }
    await expectAccessible(page);
  });

  it("is none at an address that somebody mistyped, with a way back", async () => {
    const page = await world().open(await world().person("Mistyper"), "/profil");
    await page.getByText("There is nothing at this address.").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "See what is free now" }).click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await world().complained("404");
  });

  it("says as of when it is where it cannot be read anew, until the service answers", async () => {
    const isTooMuch = { status: 429, headers: { "Retry-After": "3000" }, json: { error: "No" } };
    const { spot } = await offerOf(await world().person("Owner"));
    const page = await world().open(world().administrator());
    const paths = [
      ...Object.values(screens),
      `${spotScreen}/${spot.spot_number}`,
      "/garage?gate=yes",
    ];
    const silent: string[] = [];
    for (const path of paths) {
      await page.goto(world().origin + path);
      await page.locator(".foot").waitFor();
      await answerInstead(page, (route) => route.fulfill(isTooMuch));
      await page.evaluate('dispatchEvent(new Event("online"))');
      const notice = page.getByText(/^As of \d\d:\d\d$/);
      await notice.waitFor({ timeout: 60_000 }).catch(() => silent.push(path));
      if (path === board) {
        await page.getByText(/^You have reached the limit for now. You can continue at/).waitFor();
        await expectAccessible(page);
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.evaluate('dispatchEvent(new Event("online"))');
      await notice.waitFor({ state: "detached", timeout: 60_000 }).catch(() => silent.push(path));
    }
    expect(silent).toEqual([]);
    await world().complained("429");
  }, 600_000);

  it("is shown as if its address said nothing where that is nonsense, or with a way back", async () => {
    const names = await namesInAddresses();
    expect(names).toEqual(expect.arrayContaining(["window", "date", "section", "week", "at"]));
    const page = await world().open(world().administrator(), profile);
    await page.getByLabel("Full name").waitFor();
    for (const screen of Object.values(addresses)) {
      for (const value of hostile) {
        const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, value])));
        await goTo(page, `${screen}?${query}`);
        const title = await page.locator("main h1").first().innerText();
        const failed = await page.locator(".failed a.button").count();
        const there = expect.stringMatching(/./);
        expect([screen, value, title, failed]).toEqual([screen, value, there, 0]);
      }
    }
  }, 300_000);
});
