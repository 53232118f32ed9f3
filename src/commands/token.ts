/** `npm run token -- <email>`: prints an access token of the development identity provider. */
import { readServiceConfig } from "../config/config.ts";
import { developmentToken } from "../development/index.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { originOf } from "../http/origin.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run token -- <email>", async (args) => {
  const email = onlyArgument(args);
  const config = readServiceConfig(process.env); // requires AUTH_ISSUER in production
  if (config.tokens !== "development")
    throw new OperatorError("AUTH_ISSUER: is set, so only that issuer makes tokens");
  const { dataDir } = config;
  console.log(await developmentToken(email, { dataDir, origin: await originOf(config) }));
});
