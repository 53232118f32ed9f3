import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { addresses } from "../../../src/addresses.ts";
import { describeInBrowser } from "./open-page.ts";

const root = new URL("../../../src/web/", import.meta.url);

/** Every name that some screen reads from its address. */
async function namesInAddresses(): Promise<readonly string[]> {
  const files = (await readdir(root, { recursive: true })).filter((it) => /\.tsx?$/.test(it));
  const sources = await Promise.all(files.map((it) => readFile(new URL(it, root), "utf8")));
  const text = sources.join("\n");
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
] as const;

describeInBrowser("an address that says nonsense", (world) => {
  it("is shown as if it said nothing, or with a way back, on every screen", async () => {
    const names = await namesInAddresses();
    expect(names).toEqual(expect.arrayContaining(["window", "date", "section", "week", "at"]));
    const page = await world().open(world().administrator(), "/profile");
    await page.getByLabel("Full name").waitFor();
    for (const screen of Object.values(addresses)) {
      for (const value of hostile) {
        const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, value])));
        const shown = await page.evaluate(`(async () => {
          history.pushState(null, "", ${JSON.stringify(`${screen}?${query}`)});
          dispatchEvent(new PopStateEvent("popstate"));
          const pause = () => new Promise((resume) => setTimeout(resume, 20));
          do await pause(); while (document.querySelector(".loading"));
          return {
            screen: document.querySelector("main h1")?.textContent ?? "",
            broken: [...document.querySelectorAll(".failed a.button")].length,
          };
        })()`);
        expect({ screen, value, shown }).toMatchObject({
          shown: { screen: expect.stringMatching(/./), broken: 0 },
        });
      }
    }
  });

  it("leads to a way back where a screen cannot be drawn all the same", async () => {
    const page = await world().open(world().administrator(), "/profile");
    const json = { total: 1, notifications: [null] };
    await page.route("**/api/notifications?**", (route) => route.fulfill({ json }));
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByText("The page cannot show this.").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await page.unrouteAll();
    await page.getByRole("link", { name: "Begin anew" }).click();
    await page.getByText("The page cannot show this.").waitFor({ state: "detached" });
    await world().complained("null");
  });
});
