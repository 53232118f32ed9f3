import { Socket } from "node:net";
import { createPool } from "../../src/database/pool.ts";
import { createLogger } from "../../src/log/logger.ts";
import { operationOf } from "../../src/rest/operation.ts";
import { ERROR, messageReader, READY } from "./messages.ts";
import type { Question } from "./questions.ts";

/** The bytes that ask a question, and how many times the server then says that it is ready. */
interface Flight {
  readonly bytes: Buffer;
  readonly answers: number;
}

/** A connection to the database on which the service's own bytes are sent again. */
export interface Line {
  /** Sends a flight; `onAnswer` is called with the milliseconds that it took. */
  send(index: number, onAnswer: (milliseconds: number) => void): void;
  close(): void;
}

/**
 * Lets the service's own code ask each question over a connection until the statements are prepared,
 * which they are the second time, and keeps what it sends then. So this always sends what the service
 * sends.
 */
export async function openLine(url: string, questions: readonly Question[]): Promise<Line> {
  const socket = new Socket();
  const pool = createPool(url, createLogger("silent"), {
    max: 1,
    stream: () => socket,
    idleTimeoutMillis: 0, // the pool does not see what is sent later
    connectionTimeoutMillis: 10_000,
  });
  const flights: Flight[] = [];
  for (const { route, caller, values } of questions) {
    const operation = operationOf(route, pool);
    for (let time = 1; time <= 2; time++) await operation(caller, values);
    flights.push(await recorded(socket, () => operation(caller, values)));
  }
  return replay(socket, flights);
}

async function recorded(socket: Socket, ask: () => Promise<unknown>): Promise<Flight> {
  const sent: Uint8Array[] = [];
  let answers = 0;
  const read = messageReader((type) => {
    if (type === READY) answers += 1;
  });
  const { write } = socket;
  Object.assign(socket, {
    write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
      sent.push(Buffer.from(chunk));
      return Reflect.apply(write, socket, [chunk, ...rest]);
    },
  });
  socket.on("data", read);
  await ask();
  socket.off("data", read);
  socket.write = write;
  return { bytes: Buffer.concat(sent), answers };
}

function replay(socket: Socket, flights: readonly Flight[]): Line {
  const waiting: { left: number; readonly answered: () => void }[] = [];
  socket.removeAllListeners("data"); // pg's own
  socket.once("close", () => {
    if (waiting.length > 0) throw new Error("the database closed a connection");
  });
  socket.on(
    "data",
    messageReader((type) => {
      if (type === ERROR) throw new Error("the database refused what the service sends");
      const [oldest] = waiting;
      if (type !== READY || oldest === undefined) return;
      oldest.left -= 1;
      if (oldest.left > 0) return;
      waiting.shift();
      oldest.answered();
    }),
  );
  return {
    send(index, onAnswer) {
      const flight = flights[index % flights.length];
      if (flight === undefined) throw new Error("no question to ask");
      const start = performance.now();
      const answered = () => onAnswer(performance.now() - start);
      waiting.push({ left: flight.answers, answered });
      socket.write(flight.bytes);
    },
    close: () => socket.destroy(),
  };
}
