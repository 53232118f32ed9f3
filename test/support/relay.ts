import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { PassThrough, Transform } from "node:stream";

/** Stands between the service and PostgreSQL, and fails as servers and networks do. */
export interface Relay {
  /** The same database, by way of the relay. */
  url(databaseUrl: string): string;
  /** Leads new connections to another server, and cuts the others. */
  leadTo(port: number): void;
  /** Refuses new connections, and cuts the others. */
  refuse(): Promise<void>;
  /** Accepts new connections, and forwards nothing any more. */
  hang(): void;
  /** Answers new connections with only this error, as a server does that is starting up. */
  answer(sqlState: string): void;
  /** Forwards new connections until the server is ready, and adds that it stops. */
  stopWhenReady(): void;
  /** Cuts the connections. */
  cut(): void;
  /**
   * Cuts the connection of the next flight of this kind: before the flight reaches the server, or
   * when the server has answered it and the answer has not reached the service. Resolves then.
   */
  cutAt(moment: "request" | "answer", isMeant: (flight: Buffer) => boolean): Promise<void>;
  /** The same for what has these bytes in it: cuts instead of giving the answer. */
  loseAnswerTo(bytes: string): void;
  /** Forwards new connections again. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

interface PlannedCut {
  readonly moment: "request" | "answer";
  readonly isMeant: (flight: Buffer) => boolean;
  readonly done: () => void;
}

export async function startRelay(port: number): Promise<Relay> {
  let targetPort = port;
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    // The tests cut connections on purpose, and look at the effect on the service.
    return socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };

  const plannedCuts: PlannedCut[] = [];
  /** Looks at what the client sends, and cuts the connection where that is planned. */
  const gateOf = (client: Socket, target: Socket): Transform =>
    new Transform({
      transform: (flight: Buffer, _encoding, forward) => {
        const i = plannedCuts.findIndex(({ isMeant }) => isMeant(flight));
        const [cut] = i < 0 ? [] : plannedCuts.splice(i, 1);
        if (cut === undefined) return forward(null, flight);
        const end = (): void => {
          client.destroy();
          cut.done();
        };
        if (cut.moment === "request") return end();
        target.unpipe().once("data", end).once("close", end).resume();
        forward(null, flight);
      },
    });

  const forwardTo = (client: Socket, changed = new PassThrough()): void => {
    const target = hold(connect(targetPort, "127.0.0.1"));
    client.pipe(gateOf(client, target)).pipe(target).pipe(changed).pipe(client);
    client.once("close", () => target.destroy());
    target.once("close", () => client.destroy());
  };
  let meet: (client: Socket) => void = forwardTo;

  const server = createServer((client) => meet(hold(client)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");

  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    cut();
    await closed;
  };
  const cutAt: Relay["cutAt"] = (moment, isMeant) =>
    new Promise((resolve) => plannedCuts.push({ moment, isMeant, done: resolve }));
  return {
    url: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(address.port);
      return url.href;
    },
    leadTo: (other) => {
      targetPort = other;
      cut();
    },
    refuse,
    hang: () => {
      meet = () => {};
      for (const socket of sockets) socket.unpipe().pause();
    },
    answer: (sqlState) => {
      meet = (client) => void client.once("data", () => client.end(fatalError(sqlState)));
    },
    stopWhenReady: () => {
      meet = (client) => forwardTo(client, withStopWhenReady());
    },
    cut,
    cutAt,
    loseAnswerTo: (bytes) => void cutAt("answer", (flight) => flight.includes(bytes)),
    mend: async () => {
      meet = forwardTo;
      if (server.listening) return;
      server.listen(address.port, "127.0.0.1");
      await once(server, "listening");
    },
    close: async () => {
      if (server.listening) await refuse();
    },
  };
}

/** As much of PostgreSQL's ReadyForQuery as is the same for every transaction. */
const READY = "Z\0\0\0\x05";

/** Says in the same breath that the server is ready, and that an administrator stops it. */
const withStopWhenReady = (): Transform =>
  new Transform({
    transform: (answer: Buffer, _encoding, forward) =>
      forward(null, answer.includes(READY) ? Buffer.concat([answer, fatalError("57P01")]) : answer),
  });

/** PostgreSQL's ErrorResponse. */
function fatalError(sqlState: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${sqlState}\0Mmade up by the test\0\0`;
  const message = Buffer.alloc(5 + fields.length);
  message.write("E");
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}
