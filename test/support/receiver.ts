import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { projectFolder } from "../../src/project-folder.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of webhooks, a process of its own (receiver-program.ts). */
export interface Receiver {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  /** What it was sent, in order. */
  readonly requests: readonly Received[];
  /** Waits until one of these arrived. */
  received(is: (request: Received) => boolean): Promise<Received>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const child = spawn(process.execPath, ["test/support/receiver-program.ts", String(port)], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit").then(() => process.off("exit", kill));
  const lines = createInterface({ input: child.stdout });
  const [first]: string[] = await once(lines, "line");
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  lines.on("line", (line) => {
    requests.push(JSON.parse(line));
    for (const check of waiting) check();
  });
  return {
    origin: `http://127.0.0.1:${JSON.parse(first ?? "{}").port}`,
    requests,
    received: (is) =>
      new Promise((resolve) => {
        const check = () => {
          const found = requests.find(is);
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    kill: async () => {
      kill();
      await ended;
    },
  };
}
