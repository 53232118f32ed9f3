import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** How a supervisor sees the service. */
export interface Health {
  /** The longest that an answer took, in milliseconds. */
  readonly longest: number;
  readonly asked: number;
  /** Answers that were not 200, and connections that ended without one. */
  readonly failed: number;
}

const PAUSE_MS = 200;

/** Asks for a path again and again, each time on a new connection, until it is told to stop. */
export function watchHealth(origin: string, path: string): { stop(): Promise<Health> } {
  let isOver = false;
  const watch = async (): Promise<Health> => {
    let [longest, asked, failed] = [0, 0, 0];
    while (!isOver) {
      const start = performance.now();
      asked += 1;
      if ((await statusOf(origin, path)) !== 200) failed += 1;
      longest = Math.max(longest, performance.now() - start);
      await sleep(PAUSE_MS);
    }
    return { longest, asked, failed };
  };
  const watching = watch();
  return {
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

function statusOf(origin: string, path: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return new Promise((resolve) => {
    socket.once("data", (head) => resolve(Number(head.toString("latin1", 9, 12))));
    socket.on("error", () => {}).once("close", () => resolve(0));
  });
}
