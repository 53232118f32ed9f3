import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a client sends, as often as it is asked. */
export type Requests = () => string;

export interface Outcome {
  /** 0 where the client gave up or was cut off. */
  readonly status: number;
  /** Whether the connection ended before the answer, and not by the client. */
  readonly wasCut: boolean;
  readonly milliseconds: number;
  /** Whether a refusal says when to come again. */
  readonly hasRetryAfter: boolean;
}

export interface Clients {
  /** Requests a second when so many clients wait for their answers. */
  capacity(requests: Requests, seconds: number): Promise<number>;
  /** Sends at a rate, whatever comes back, for so long. */
  flood(requests: Requests, rate: number, seconds: number): Promise<readonly Outcome[]>;
  close(): void;
}

const CLIENTS = 20;

/**
 * Clients that give up after a while and close their connection. Plain sockets: Node's own client
 * costs more than the service, with which it shares the processors.
 */
export function clientsOf(origin: string, patienceMs: number): Clients {
  const { hostname, port } = new URL(origin);
  /** Connections without a request. */
  const idle: Socket[] = [];

  function connection(): Socket {
    const socket = connect(Number(port), hostname).on("error", () => {});
    return socket.once("close", () => {
      if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1);
    });
  }

  async function ask(request: string): Promise<Outcome> {
    const start = performance.now();
    const socket = idle.pop() ?? connection();
    const { promise, resolve } = Promise.withResolvers<string>();
    let answer = "";
    const read = (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = answer.slice(0, end);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (answer.length < end + 4 + length) return;
      if (!/^connection: close/im.test(head)) idle.push(socket);
      resolve(head);
    };
    let gaveUp = false;
    const cut = () => resolve("");
    const patience = setTimeout(() => {
      gaveUp = true;
      socket.destroy();
    }, patienceMs);
    socket.on("data", read).once("close", cut);
    socket.write(request);
    const head = await promise;
    clearTimeout(patience);
    socket.off("data", read).off("close", cut);
    return {
      status: Number(head.slice(9, 12)),
      wasCut: head === "" && !gaveUp,
      milliseconds: performance.now() - start,
      hasRetryAfter: /^retry-after: \d/im.test(head),
    };
  }

  return {
    async capacity(requests, seconds) {
      const until = performance.now() + seconds * 1000;
      let count = 0;
      const client = async () => {
        while (performance.now() < until) {
          const { status } = await ask(requests());
          if (status >= 200 && status < 300) count += 1;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return count / seconds;
    },
    async flood(requests, rate, seconds) {
      const sent: Promise<Outcome>[] = [];
      const start = performance.now();
      for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
        while (sent.length < elapsed * rate) sent.push(ask(requests()));
        await sleep(2);
      }
      return Promise.all(sent);
    },
    close: () => {
      for (const socket of idle) socket.destroy();
    },
  };
}
