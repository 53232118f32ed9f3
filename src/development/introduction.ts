import { defaults, type ServiceConfig } from "../config/config.ts";
import { people } from "./people.ts";

/** What a person can try on a service that answers at `origin`, to be pasted as it is. */
export function introductionTo(config: ServiceConfig, origin: string): string {
  const settings = [
    ...(config.host === defaults.host ? [] : [`HOST=${quoted(config.host)}`]),
    ...(new URL(origin).port === String(defaults.port) ? [] : [`PORT=${new URL(origin).port}`]),
    ...(config.dataDir === defaults.dataDir ? [] : [`DATA_DIR=${quoted(config.dataDir)}`]),
  ];
  const tokenCommand = [...settings, `npm run -s token -- ${people.maria.email}`].join(" ");
  return `
This building is a demo. Open ${origin} to park in it, ${origin}/docs to read the API, or try that as
one of the residents:

  curl -H "Authorization: Bearer $(${tokenCommand})" ${origin}${config.basePath}/dashboard
`;
}

/** One word of a shell's command line. */
const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
