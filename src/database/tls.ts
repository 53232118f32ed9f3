/** TLS to the database, as libpq's URLs ask for it: https://www.postgresql.org/docs/18/libpq-ssl.html */
import { accessSync, constants } from "node:fs";
import { reasonOf } from "../errors/reason.ts";

/** Not `allow` and `prefer`: who stands in between would say that there is no TLS. */
const modes = ["disable", "require", "verify-ca", "verify-full"];
const files = ["sslrootcert", "sslcert", "sslkey"];

/** Says to pg that a mode means what it means to libpq, which itself does not know this. */
const LIBPQ_MODES = "uselibpqcompat";

/**
 * The URL as pg needs it.
 * @param env has libpq's variables, for what the URL does not say
 * @throws Error with the reason, where TLS could not be what is asked for
 */
export function withTls(url: string, env: NodeJS.ProcessEnv): string {
  const [address = ""] = url.split("?");
  const asked = new URL(url).searchParams;
  for (const name of ["sslmode", ...files]) {
    const value = asked.get(name) || env[`PG${name.toUpperCase()}`];
    if (value) asked.set(name, value);
  }
  // As since libpq 16: the public authorities, and nothing less. They are those of Node.
  if (asked.get("sslrootcert") === "system") {
    asked.delete("sslrootcert");
    asked.set("sslmode", "verify-full");
  }
  const mode = asked.get("sslmode");
  if (mode === null) {
    const file = files.find((name) => asked.has(name));
    if (file !== undefined) throw new Error(`${file} needs sslmode`);
    return url;
  }
  if (!modes.includes(mode)) throw new Error(`sslmode must be one of ${modes.join(", ")}`);
  if (mode === "verify-ca" && !asked.has("sslrootcert")) {
    throw new Error("sslmode=verify-ca needs sslrootcert");
  }
  for (const name of files) {
    if (mode === "disable") asked.delete(name);
    else refuseUnreadable(name, asked.get(name));
  }
  asked.set(LIBPQ_MODES, "true");
  return `${address}?${asked}`;
}

function refuseUnreadable(name: string, file: string | null): void {
  try {
    if (file !== null) accessSync(file, constants.R_OK);
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`);
  }
}

/** The URL as psql takes it, too. */
export function forLibpq(url: URL): URL {
  url.searchParams.delete(LIBPQ_MODES);
  return url;
}
