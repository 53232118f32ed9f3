import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isAsset } from "../../../src/addresses.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { environment } from "../../support/environment.ts";
import { untilGreeting } from "../../support/greeting.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { PATIENCE_MS, until } from "../../support/waiting.ts";
import { makeCheckout } from "../commands/checkout.ts";

const opened = new AsyncDisposableStack();
let building: Building;
let [older, newer]: readonly Program[] = [];
/** The address of a proxy, and which process answers a path. */
let origin: string;
let answering: (path: string) => Program | undefined;

beforeAll(async () => {
  building = opened.adopt(await openBuilding(), (it) => it.close());
  const checkout = opened.adopt(await makeCheckout(), (it) => it.remove());
  const main = "src/web/main.tsx";
  const change = 'document.documentElement.dataset.version = "newer";\n';
  await checkout.write(main, (await checkout.read(main)) + change);
  await checkout.run("commands/build");
  for (const folder of [projectFolder, checkout.folder]) await keepFiles(folder);
  const start = async (folder: string) =>
    opened.adopt(
      await startProgram(building, { WEB_CLIENT_ID: "page" }, [], [process.execPath], folder),
      (it) => it.stop(),
    );
  older = await start(projectFolder);
  newer = await start(checkout.folder);
  for (const program of [older, newer]) await untilGreeting(program.origin);
  origin = await startProxy();
});
afterAll(() => opened.disposeAsync());

/** As `npm run migrate` does. */
const keepFiles = (folder: string) =>
  promisify(execFile)(
    process.execPath,
    [
      "--eval",
      'import("./src/pages/other-versions.ts").then((it) => it.storePageFiles(process.env.OWNER, console))',
    ],
    { cwd: folder, env: { ...environment, OWNER: building.database.url("parking_owner") } },
  );

async function startProxy(): Promise<string> {
  const server = createServer((asked, answer) => {
    const { method, headers, url = "" } = asked;
    const target = new URL(url, answering(url)?.origin);
    request(target, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const textOf = async (program: Program | undefined, path: string): Promise<string> => {
  const response = await fetch(`${program?.origin}${path}`);
  return response.ok ? response.text() : `${response.status}`;
};

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/["/]([\w.]+\.[A-Z0-9]{8}\.\w+)"/g)].map(([, name]) => `/${name}`);

/** The files of a version, also those that are loaded later. */
async function filesOf(program: Program | undefined): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const waiting = [...namesIn(await textOf(program, "/"))];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.set(path, await textOf(program, path));
    if (path.endsWith(".js")) waiting.push(...namesIn(files.get(path) ?? ""));
  }
  return files;
}

describe("of two versions of the service on one database", () => {
  it("each has the files of the other", async () => {
    const [ofOlder, ofNewer] = [await filesOf(older), await filesOf(newer)];
    const onlyOlder = [...ofOlder].filter(([path]) => !ofNewer.has(path));
    const onlyNewer = [...ofNewer].filter(([path]) => !ofOlder.has(path));
    expect(onlyOlder.length).toBeGreaterThan(20);
    expect(onlyNewer.length).toBeGreaterThan(20);
    for (const [others, asked] of [
      [onlyOlder, newer],
      [onlyNewer, older],
    ] as const) {
      for (const [path, text] of others) expect(await textOf(asked, path)).toBe(text);
    }
    expect(await textOf(older, "/main.ABCDEFGH.js")).toBe("404");
  });

  it("only the owner of the database adds files", async () => {
    const sql = "select private.keep_page_files(array['main.ABCDEFGH.js'], array['x'::bytea])";
    expect(await (await building.resident()).sqlError(sql)).toMatchObject({ code: "42501" });
    const [{ count } = { count: 0 }] = await building.rows<{ count: number }>(
      "select count(distinct release)::int as count from private.page_files",
    );
    for (let again = 0; again < 3; again++) await keepFiles(projectFolder);
    const kept = "select max(release) - $1::int as more from private.page_files";
    expect(await building.rows(kept, [count])).toEqual([{ more: 1 }]);

    const unbuilt = await makeCheckout();
    await rm(join(unbuilt.folder, "dist"), { recursive: true });
    expect((await keepFiles(unbuilt.folder)).stderr).toContain("npm run build");
    expect(await building.rows(kept, [count])).toEqual([{ more: 1 }]);
    await unbuilt.remove();
  });

  describeWithChromium("a browser", () => {
    it("shows the page whichever answers, and keeps no files of two versions as one", async () => {
      await using browser = await launchChromium();
      const context = await browser.newContext({ locale: "en-GB" });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const failed: string[] = [];
      page.on("response", (it) => {
        if (it.status() >= 400) failed.push(`${it.status()} ${it.url()}`);
      });
      answering = (path) => (isAsset(path) || path === "/service-worker.js" ? newer : older);
      const worker = context.waitForEvent("serviceworker");
      await page.goto(origin);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await worker;
      const registered = "navigator.serviceWorker.getRegistration()";
      await until("an end of the installation", () =>
        page.evaluate<boolean>(
          `${registered}.then((it) => it === undefined || (it.installing ?? it.waiting ?? it.active) === null)`,
        ),
      );

      answering = () => newer;
      await page.reload();
      await page.evaluate("navigator.serviceWorker.ready");
      const index = await page.evaluate<string>(
        'caches.match("/", { ignoreVary: true }).then((it) => it.text())',
      );
      expect(namesIn(index)).toEqual(namesIn(await textOf(newer, "/")));
      expect(failed).toEqual([]);
    });
  });
});
