import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { type LoopbackServer, startServer } from "../../support/key-server.ts";
import { describeInBrowser } from "../pages/in-browser.ts";

/** The page of docs/front-end.md as another server on this machine has it. */
async function startFrontEnd(origin: string): Promise<LoopbackServer> {
  const code = readFileSync("docs/examples/front-end.js", "utf8");
  const library = readFileSync("node_modules/oauth4webapi/build/index.js", "utf8");
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/oauth4webapi.js": ["text/javascript", library],
    "/app.js": ["text/javascript", code.replaceAll("http://127.0.0.1:3000", origin)],
  };
  const page = `<!doctype html><html lang="en"><link rel="icon" href="data:,">
<script type="importmap">{"imports":{"oauth4webapi":"/oauth4webapi.js"}}</script>
<script type="module" src="/app.js"></script><body></body></html>`;
  return startServer((request, response) => {
    const [type, body] = files[request.url ?? ""] ?? ["text/html", page];
    response.setHeader("Content-Type", type).end(body);
  });
}

describeInBrowser("the page of docs/front-end.md, on another port", (world) => {
  it("signs a person in and shows their dashboard", async () => {
    const frontEnd = await startFrontEnd(world.origin);
    const page = await world.context.newPage();
    await page.goto(frontEnd.origin);
    await page.getByRole("button", { name: "Maria Silva" }).click();
    const dashboard = await page.getByText("total_spots").innerText();
    await frontEnd.close();

    expect(JSON.parse(dashboard)).toMatchObject({ stats: { total_spots: 3 } });
  });
});
