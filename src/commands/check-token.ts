/** `npm run check:token -- <token>`: explains why the service accepts or refuses a token. */
import { readServiceConfig, type ServiceConfig, type TokenConfig } from "../config.ts";
import { originOf } from "../http/origin.ts";
import { explainToken } from "../tokens/explanation.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run check:token -- <token>", async (args) => {
  const token = onlyArgument(args).replace(/^bearer +/i, "");
  console.log(await explainToken(token, await tokensOf(readServiceConfig(process.env))));
});

async function tokensOf(config: ServiceConfig): Promise<TokenConfig> {
  if (config.tokens !== "development") return config.tokens;
  const { developmentTokens } = await import("../development/index.ts");
  return developmentTokens(await originOf(config));
}
