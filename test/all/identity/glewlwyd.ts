import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "../../support/free-port.ts";
import { pathTo } from "../../support/installed.ts";
import { until } from "../../support/waiting.ts";
import { type Administration, administrationOf } from "./administration.ts";

export const isInstalled = pathTo("glewlwyd") !== undefined;

/** Where Debian's packages put what the program needs. */
const TABLES = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3";
const PAGES = "/usr/share/glewlwyd/webapp";
const PAGES_CONFIG = "/usr/share/glewlwyd/templates/config.json";
const MODULES = "/usr/lib/glewlwyd";

/** A real identity provider, with a database of its own in a temporary folder. */
export interface IdentityProvider extends Administration {
  readonly origin: string;
  readonly issuer: string;
  /** Ends the program; its database stays. */
  pause(): Promise<void>;
  /** Nothing where it was not paused. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startGlewlwyd(): Promise<IdentityProvider> {
  const folder = await mkdtemp(join(tmpdir(), "glewlwyd-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const database = new DatabaseSync(join(folder, "database"));
  database.exec(await readFile(TABLES, "utf8"));
  database.close();
  // The pages read a file that the package puts elsewhere.
  const isNoConfig = (file: string) => !file.endsWith("config.json");
  await cp(PAGES, join(folder, "pages"), {
    recursive: true,
    dereference: true,
    filter: isNoConfig,
  });
  await cp(PAGES_CONFIG, join(folder, "pages/config.json"));
  await writeFile(join(folder, "config"), configOf(folder, port));

  let child: ChildProcess;
  let isRunning = false;
  async function resume(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    child = spawn(pathTo("glewlwyd") ?? "", ["-c", join(folder, "config")], { stdio: "ignore" });
    process.once("exit", kill);
    await until("an answer from glewlwyd", async () => {
      if (child.exitCode !== null) throw new Error("glewlwyd ended at its start");
      return fetch(`${origin}/config`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }
  const kill = () => child.kill("SIGKILL");
  async function pause(): Promise<void> {
    isRunning = false;
    process.off("exit", kill);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }

  async function restart(): Promise<void> {
    await pause();
    await resume();
  }

  await resume();
  const issuer = `${origin}/api/oidc`;
  return {
    origin,
    issuer,
    pause,
    resume,
    ...(await administrationOf(origin, issuer, restart)),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await pause();
      await rm(folder, { recursive: true });
    },
  };
}

const configOf = (folder: string, port: number): string => `
  port = ${port}
  bind_address = "127.0.0.1"
  external_url = "http://127.0.0.1:${port}"
  login_url = "login.html"
  api_prefix = "api"
  static_files_path = "${folder}/pages/"
  static_files_mime_types = (
    { extension = ".html" mime_type = "text/html" },
    { extension = ".css" mime_type = "text/css" },
    { extension = ".js" mime_type = "application/javascript" },
    { extension = ".json" mime_type = "application/json" }
  )
  allow_origin = "*"
  allow_methods = "GET, POST, PUT, DELETE, OPTIONS"
  allow_headers = "Origin, X-Requested-With, Content-Type, Accept, Authorization"
  log_mode = "console"
  log_level = "NONE"
  cookie_secure = 0
  session_expiration = 2419200
  session_key = "GLEWLWYD2_SESSION_ID"
  admin_session_authentication = "cookie"
  profile_session_authentication = "cookie"
  login_api_enabled = true
  admin_scope = "g_admin"
  profile_scope = "g_profile"
  user_module_path = "${MODULES}/user"
  client_module_path = "${MODULES}/client"
  user_auth_scheme_module_path = "${MODULES}/scheme"
  plugin_module_path = "${MODULES}/plugin"
  hash_algorithm = "SHA512"
  database = { type = "sqlite3" path = "${folder}/database" }
`;
