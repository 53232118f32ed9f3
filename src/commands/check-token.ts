/**
 * `npm run check:token -- <token> [<another>]`: explains why the service accepts or refuses a
 * token. It compares two tokens of one person, from two sign-ins or from before and after a
 * renewal.
 */
import { readServiceConfig, type ServiceConfig } from "../config/config.ts";
import { ownTokens } from "../config/own-issuer.ts";
import type { TokenConfig } from "../config/settings.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { originOf } from "../http/origin.ts";
import { compareTokens, explainToken } from "../tokens/explanation.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

const DEVELOPMENT =
  "AUTH_ISSUER is not set: this is what the development sign-in of this machine makes of it.";

await runCommand(
  "npm run check:token -- <token> [<another token of the same person>]",
  async (args) => {
    const tokens = args.map((arg) => arg.replace(/^bearer +/i, ""));
    const [first, second, ...others] = tokens;
    if (!first || second === "" || others.length > 0) wrongUsage();
    const config = readServiceConfig(process.env);
    const settings = await tokensOf(config);

    const explanations = await Promise.all(tokens.map((token) => explainToken(token, settings)));
    const text = [
      ...(config.tokens === "development" ? [DEVELOPMENT] : []),
      ...explanations.flatMap(({ lines }) => lines),
      ...(second === undefined ? [] : compareTokens(first, second)),
    ].join("\n");
    if (!explanations.every(({ isAccepted }) => isAccepted)) throw new OperatorError(text);
    console.log(text);
  },
);

async function tokensOf(config: ServiceConfig): Promise<TokenConfig> {
  if (config.tokens !== "development") return config.tokens;
  return ownTokens(await originOf(config));
}
