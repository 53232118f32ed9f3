import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

/** A name server on loopback. */
export interface NameServer {
  /** As `dns.setServers` takes it. */
  readonly address: string;
  /** How often it was asked for addresses of IPv4. */
  asked(): number;
  close(): Promise<void>;
}

const TYPES = { 1: "ipv4", 28: "ipv6" } as const;

/**
 * Answers each question with the addresses that `answer` gives for it; `round` counts from 0 how often
 * a name was asked for. Undefined: it does not answer.
 */
export async function startNameServer(
  answer: (name: string, round: number) => readonly string[] | undefined,
): Promise<NameServer> {
  const rounds = new Map<string, number>();
  let asked = 0;
  const socket = createSocket("udp4", (query, from) => {
    const { name, type, question } = readQuestion(query);
    const key = `${name} ${type}`;
    const round = rounds.get(key) ?? 0;
    rounds.set(key, round + 1);
    if (type === 1) asked += 1;
    const kind = type === 1 || type === 28 ? TYPES[type] : undefined;
    const addresses = answer(name, round)
      ?.map((it) => ipaddr.parse(it))
      .filter((it) => it.kind() === kind);
    if (addresses) socket.send(reply(query, question, type, addresses), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** RFC 1035, 4.1: after the 12 bytes of the header stands the name, by its labels, and the type. */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    name: labels.join("."),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function reply(
  query: Buffer,
  question: Buffer,
  type: number,
  addresses: readonly (ipaddr.IPv4 | ipaddr.IPv6)[],
): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2); // an answer, without an error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const bytes = Buffer.from(address.toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0); // the name of the question
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10); // lives 0 seconds
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, question, ...records]);
}
