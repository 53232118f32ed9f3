import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../src/project-folder.ts";
import { freePort } from "./free-port.ts";
import { pathTo } from "./installed.ts";
import { until } from "./waiting.ts";

export interface HttpsAnswer {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface HttpsRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A proxy with TLS in front of processes, run with its file of docs/deploy. */
export interface RunningProxy {
  ask(asked: HttpsRequest): Promise<HttpsAnswer>;
  /** An answer from its head on. */
  open(asked: HttpsRequest): Promise<IncomingMessage>;
  stop(): Promise<void>;
}

type Upstreams = readonly [string, string];

export type ProxyName = "caddy" | "nginx";

export const isInstalled = (name: ProxyName): boolean => pathTo(name) !== undefined;

/** The file of docs/deploy, with these addresses in the place of those in it. */
const configOf = async (file: string, changes: Readonly<Record<string, string>> = {}) =>
  Object.entries(changes).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      return text.replaceAll(from, to);
    },
    await readFile(join(projectFolder, "docs/deploy", file), "utf8"),
  );

export async function startProxy(
  name: ProxyName,
  ports: readonly [number, number],
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  await chmod(folder, 0o755);
  const port = await freePort();
  const upstreams: Upstreams = [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`];
  const start = { caddy: startCaddy, nginx: startNginx }[name];
  const child = await start(folder, port, upstreams);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: "localhost" });
  const ask = (asked: HttpsRequest) => askOver(agent, port, asked);
  await until(`an answer from ${name}`, async () => (await ask({ path: "/livez" })).status === 200);
  return {
    ask,
    open: async (asked) => (await once(send(agent, port, asked), "response"))[0],
    stop: async () => {
      agent.destroy();
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startCaddy(
  folder: string,
  port: number,
  upstreams: Upstreams,
): Promise<ChildProcess> {
  const file = join(folder, "Caddyfile");
  const options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n";
  await writeFile(file, options + (await configOf("Caddyfile")));
  const env = {
    ...process.env,
    SITE: `https://localhost:${port}`,
    UPSTREAMS: upstreams.join(" "),
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  return spawn(pathTo("caddy") ?? "", ["run", "--adapter", "caddyfile", "--config", file], {
    env,
    stdio: "ignore",
  });
}

async function startNginx(
  folder: string,
  port: number,
  upstreams: Upstreams,
): Promise<ChildProcess> {
  const names = ["-subj", "/CN=localhost", "-days", "1"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...key, ...names, ...files], { stdio: "ignore" });
  const site = await configOf("nginx.conf", {
    "listen 80;": `listen 127.0.0.1:${await freePort()};`,
    "listen 443": `listen 127.0.0.1:${port}`,
    "/etc/ssl/parking": folder,
    "127.0.0.1:3001": upstreams[0],
    "127.0.0.1:3002": upstreams[1],
  });
  await writeFile(join(folder, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {}
     http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`,
  );
  return spawn(pathTo("nginx") ?? "", ["-c", join(folder, "nginx.conf"), "-p", folder], {
    stdio: "ignore",
  });
}

function send(agent: Agent, port: number, asked: HttpsRequest): ClientRequest {
  const { method = "GET", path, headers = {}, body } = asked;
  const host = `localhost:${port}`;
  const to = { host: "127.0.0.1", port, agent, method, path, headers: { Host: host, ...headers } };
  return request(to).end(body);
}

async function askOver(agent: Agent, port: number, asked: HttpsRequest): Promise<HttpsAnswer> {
  const sent = send(agent, port, asked);
  const failed = { status: 0, headers: {}, body: Buffer.alloc(0) };
  return new Promise((resolve) => {
    sent.on("error", () => resolve(failed));
    sent.on("response", async (response) => {
      const chunks: Buffer[] = await response.toArray().catch(() => []);
      const { statusCode = 0 } = response;
      resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
  });
}
