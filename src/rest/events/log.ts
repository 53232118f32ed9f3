import type { Pool } from "pg";
import { subjects } from "../../contract/events.ts";
import type { ResourceSchema } from "../../contract/schemas.ts";

/** An event, or a view of one, as it is sent. */
export interface Message {
  readonly position: number;
  readonly text: string;
  /** The numbers of the people who see it, from one on; undefined where all do. */
  readonly seenBy: ReadonlySet<number> | undefined;
}

/** What happened after a position. */
export interface Page {
  /** In the order of their positions. A position may have several. */
  readonly messages: readonly Message[];
  /** What is sent in their place where the log does not have all that happened after the position. */
  readonly reset: string | undefined;
  /** How far it goes. */
  readonly reached: number;
  /** The numbers of the people whose accounts are approved. */
  readonly approved: ReadonlySet<number>;
  /** Whether there may be more. */
  readonly isFull: boolean;
}

interface EventRow {
  readonly position: string;
  /** Null in the last row, which says how far the page goes. */
  readonly type: string | null;
  readonly occurred_at: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly seen_by: readonly number[] | null;
}

/** As many events a page has at most. */
const MOST = 200;

const READ = "select * from private.read_events($1, $2, $3)";

export async function readPage(
  pool: Pool,
  after: number,
  people: readonly string[],
): Promise<Page> {
  const { rows } = await pool.query<EventRow>(READ, [after, people, MOST]);
  const end = rows.pop();
  const messages = rows.map(({ position, type, occurred_at, data, seen_by }, index) => ({
    position: Number(position),
    // Whose connection breaks between two of one position has got to the one before.
    text: messageOf(
      rows[index + 1]?.position === position ? undefined : Number(position),
      type ?? "",
      occurred_at,
      data,
    ),
    seenBy: seen_by === null ? undefined : new Set(seen_by),
  }));
  const [first] = messages;
  const isReset = rows[0]?.type === "reset";
  return {
    messages: isReset ? [] : messages,
    reset: isReset ? first?.text : undefined,
    reached: Number(end?.position),
    approved: new Set(end?.seen_by),
    isFull: new Set(messages.map(({ position }) => position)).size === MOST,
  };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * An event as the stream has it (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * @param position where its reader then is
 */
function messageOf(position: number | undefined, type: string, occurredAt: Date, values: Values) {
  const subject = subjects[type.split(".")[0] ?? ""];
  const data = subject ? shownAs(subject, values) : {};
  const json = JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
  const id = position === undefined ? "" : `id: ${position}\n`;
  return `${id}event: ${type}\ndata: ${json}\n\n`;
}

/** What the API shows of a row that the log has as JSON, as json.ts writes it from a row of the database. */
const shownAs = ({ properties, required }: ResourceSchema, values: Values): Values =>
  Object.fromEntries(
    Object.keys(properties)
      .map((name): [string, unknown] => [name, values[name] ?? null])
      .filter(([name, value]) => required.includes(name) || (value !== null && value !== false)),
  );
