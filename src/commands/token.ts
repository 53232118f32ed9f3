/** `npm run token -- <email>`: prints an access token of the development identity provider. */
import { readConfig } from "../config.ts";
import { developmentAudience, developmentToken } from "../development/access-token.ts";
import { originOf } from "../development/origin.ts";
import { people } from "../development/people.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run token -- <email>", async ([email]) => {
  const config = readConfig(process.env); // in production it insists on AUTH_ISSUER
  if (config.tokens) throw new Error("AUTH_ISSUER: is set, so only that issuer makes tokens");
  const token = await developmentToken({
    dataDir: config.dataDir,
    origin: await originOf(config),
    audience: developmentAudience,
    email,
    people: Object.values(people),
  });
  console.log(token);
});
