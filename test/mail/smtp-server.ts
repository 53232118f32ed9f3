import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as the server got it. */
export interface Received {
  readonly to: readonly string[];
  readonly from: string;
  /** Each line of the header, unfolded. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly html: string;
}

/** How the server behaves from now on. */
export interface Manners {
  /** The answer to RCPT TO, such as 550. */
  readonly toRecipient?: number;
  /** The answer to the whole mail. */
  readonly toMail?: number;
  /** It takes the mail, and the answer is lost. */
  readonly losesAnswer?: boolean;
  /** It never answers a mail. */
  readonly hangs?: boolean;
}

export interface MailServer {
  readonly url: URL;
  readonly received: Received[];
  behave(manners: Manners): void;
  /** Waits until so many have come. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

const refusal = (responseCode: number) =>
  Object.assign(new Error("I do not want this of maria@demo.example"), { responseCode });

/** A real SMTP server, which keeps what it gets. */
export async function startMailServer(onPort = 0): Promise<MailServer> {
  let manners: Manners = {};
  const received: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const sockets = new Set<{ destroy(): unknown }>();

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, callback) {
      callback(manners.toRecipient ? refusal(manners.toRecipient) : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (manners.hangs) return;
        if (manners.toMail) return callback(refusal(manners.toMail));
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString("latin1");
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          ...partsOf(raw),
        });
        for (const { count, resolve } of waiting) if (received.length >= count) resolve();
        if (manners.losesAnswer) for (const socket of sockets) socket.destroy();
        else callback();
      });
    },
  });
  server.on("error", () => {}); // of connections that the tests cut
  const listener: Server = server.listen(onPort, "127.0.0.1");
  listener.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;

  return {
    url: new URL(`smtp://127.0.0.1:${port}`),
    received,
    behave: (next) => {
      manners = next;
    },
    until: async (count) => {
      if (received.length < count)
        await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return received;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** The header and the parts of a multipart/alternative, as RFC 5322 and RFC 2045 write them. */
function partsOf(raw: string): Pick<Received, "headers" | "text" | "html"> {
  const [head = "", body = ""] = splitAt(raw, "\r\n\r\n");
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? "";
  const parts = body.split(`--${boundary}`).map((part) => splitAt(part.trimStart(), "\r\n\r\n"));
  const partOf = (type: string): string => {
    const [header = "", content = ""] = parts.find(([it]) => it?.includes(type)) ?? [];
    return decoded(content, /transfer-encoding: (\S+)/i.exec(header)?.[1] ?? "");
  };
  return {
    headers: head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n"),
    text: partOf("text/plain").replaceAll("\r\n", "\n"),
    html: partOf("text/html").replaceAll("\r\n", "\n"),
  };
}

function splitAt(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(content: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(content, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return content;
  const bytes = content
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
