/** `npm run build`: writes the page into dist/, unless it is there and of these sources. */
import { currentBuild } from "../pages/dist.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run build", async () => {
  if (currentBuild()) return;
  const { buildPage } = await import("../pages/build.ts");
  await buildPage();
});
