import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Build } from "../../../src/pages/dist.ts";
import { type Checkout, makeCheckout } from "../commands/checkout.ts";
import { start as startProgram } from "../commands/run.ts";

let checkout: Checkout;
beforeAll(async () => {
  checkout = await makeCheckout();
});
afterAll(() => checkout.remove());

const build = () => checkout.run("commands/build");
const built = async (): Promise<Build> => JSON.parse(await checkout.read("dist/build.json"));
const start = () =>
  checkout.run("main", [], { PORT: "0", DATA_DIR: join(checkout.folder, ".data") });

/** A service on the embedded database of the checkout. */
async function serve(): Promise<AsyncDisposable & { readonly origin: string }> {
  const settings = { PORT: "0", LOG_LEVEL: "silent" };
  const service = startProgram("main", [], settings, checkout.folder);
  const stop = async () => {
    service.process.kill();
    await service.ended;
  };
  for await (const line of createInterface(service.process.stderr as Readable)) {
    const [, origin] = /shared at (http:.+)\/api$/.exec(line) ?? [];
    if (origin) return { origin, [Symbol.asyncDispose]: stop };
  }
  throw new Error("it did not start");
}

/** Changes the page, builds it, and returns the names of its files. */
async function buildAnother(): Promise<readonly string[]> {
  const main = "src/web/main.tsx";
  await checkout.write(main, `${await checkout.read(main)}document.title += "!";\n`);
  expect(await build()).toEqual({ code: 0, output: "" });
  return Object.keys((await built()).files);
}

describe("npm run build", () => {
  it("makes the page where it is missing, and no service starts without it", async () => {
    await rm(join(checkout.folder, "dist"), { recursive: true });
    const refusal = "The page in dist/ is missing or not of these sources: npm run build\n";
    expect(await start()).toEqual({ code: 1, output: expect.stringContaining(refusal) });

    expect(await build()).toEqual({ code: 0, output: "" });
    const { files } = await built();
    expect(await checkout.list("dist")).toEqual(expect.arrayContaining(Object.keys(files)));
    const main = Object.keys(files).find((name) => /^main\.[A-Z0-9]{8}\.js$/.test(name)) ?? "";
    expect(files[main]?.every((name) => name in files)).toBe(true);
  });

  it("makes the page again only if its sources are others, without what it had before", async () => {
    const first = Object.keys((await built()).files);
    await checkout.write("dist/build.json", JSON.stringify({ ...(await built()), script: "same" }));
    await build();
    expect((await built()).script).toBe("same");
    await checkout.write("dist/build.json", JSON.stringify({ sources: { "main.tsx": "" } }));
    expect(await build()).toEqual({ code: 0, output: "" });
    expect((await built()).script).not.toBe("same");

    const second = await buildAnother();
    expect(second).not.toEqual(first);
    expect((await checkout.list("dist")).toSorted()).toEqual([...second, "build.json"].toSorted());
  });

  it("is of use to pages of the version before, whose files the embedded database has", async () => {
    const before = Object.keys((await built()).files);
    await (await serve())[Symbol.asyncDispose]();
    const now = await buildAnother();
    await using newer = await serve();
    const statuses = await Promise.all(
      [...before, ...now].map(async (name) => (await fetch(`${newer.origin}/${name}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(before.filter((name) => !now.includes(name))).not.toEqual([]);
  });

  it("makes the page again where a file of it is missing, and no service starts until then", async () => {
    const [name = ""] = Object.keys((await built()).files);
    await rm(join(checkout.folder, "dist", name));
    expect(await start()).toMatchObject({ code: 1 });
    expect(await build()).toEqual({ code: 0, output: "" });
    expect(await checkout.list("dist")).toContain(name);
  });

  it("may run several times at once", async () => {
    await rm(join(checkout.folder, "dist"), { recursive: true });
    expect(await Promise.all([build(), build(), build()])).toEqual(
      Array(3).fill({ code: 0, output: "" }),
    );
    const files = Object.keys((await built()).files);
    expect((await checkout.list("dist")).toSorted()).toEqual([...files, "build.json"].toSorted());
  });
});
