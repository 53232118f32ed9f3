import type { Pool } from "pg";
import { messageOf } from "./message.ts";

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
