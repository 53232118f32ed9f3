import { LRUCache } from "lru-cache";
import { type Connection, DatabaseError, type PoolClient, type PoolOptions, Query } from "pg";
import { serialize } from "pg-protocol";
import { oncePer } from "../lazy.ts";
import { giveUp, READ_ONLY } from "./pool.ts";

/**
 * A connection that keeps it parses it once, and then knows it by its name (63 bytes; PostgreSQL cuts
 * the rest off).
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether it may never be asked for again: then no connection keeps it. */
  readonly isRare?: boolean;
  /** Whether it reads so little that it need not have a connection alone. */
  readonly isShort?: boolean;
}

export interface Step extends Statement {
  readonly values: readonly (string | null)[];
}

/** What goes together. */
export interface Load {
  readonly steps: readonly Step[];
  /** What is the same for every request, and goes first. Its rows are not returned. */
  readonly before?: readonly Step[];
  /** Whether the transaction stays open, for other flights to go on with. */
  readonly staysOpen?: boolean;
  /** Whether the connection may keep the statements. */
  readonly areNamed?: boolean;
  /** How the log calls the steps where they take long. */
  readonly called?: readonly Pick<Step, "name">[];
  /** Gets the rows of each step as it is done, also where a later one fails. */
  readonly done?: Row[][];
}

/** The values of a row as PostgreSQL's text, in the order of the columns. */
export type Row = readonly (string | null)[];

/**
 * The connection does not have a statement that it had (a proxy replaced it), or the statement
 * returns other columns since a migration, which may also have come while it ran: its function then
 * returns more columns than it was planned for. Parsed again, it works.
 */
const OUTDATED = new Set(["26000", "0A000", "42804"]);

export const isOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && OUTDATED.has(error.code ?? "");

/**
 * Runs steps as one transaction, in one flight: they are written together, and there is one answer.
 *
 *     we write    Close Parse Bind Execute │ Bind Execute │ … │ Sync
 *                 a statement that is new  │ a known one  │   │
 *     it answers    3     1    2   D… C    │  2   D… C    │ … │ Z       D: a row, C: a step is done
 *     or          … E ──────────── nothing for the rest ───── │ Z       E: the error of a step
 *
 * Until Sync everything is one implicit transaction: when a step fails, PostgreSQL skips the rest
 * and rolls back. Otherwise it commits, and only then says that it is ready (Z). Before that a
 * deferred constraint may still refuse it.
 *
 * @returns the rows of each step
 * @throws DatabaseError of the step that failed, or of the commit; the error of the connection
 */
export async function fly(
  client: PoolClient,
  { preparedStatements = true, notice }: PoolOptions,
  { steps, before = [], staysOpen = false, areNamed = true, called = steps, done = [] }: Load,
): Promise<readonly (readonly Row[])[]> {
  const flight = new Flight([...before, ...steps], areNamed && preparedStatements, done);
  client.query(flight);
  try {
    await flight.landed;
    const isOpen = client.getTransactionStatus() !== "I";
    if (isOpen && !staysOpen) throw new Error("the transaction is still open");
  } catch (error) {
    if (!endsTransaction(error)) giveUp(client);
    throw error;
  } finally {
    notice?.(called, flight.startedAt);
  }
  return done.slice(before.length);
}

/** Whether it is known that the transaction is over, on a server that writes. */
const endsTransaction = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === "ERROR" && error.code !== READ_ONLY;

/** For a statement that PostgreSQL has planned it needs 80 kB, in each connection. */
const MOST_KEPT = 100;

/** What a connection may have under a name. */
interface Kept {
  /** False while nobody knows: it was sent, and PostgreSQL may have skipped it. */
  isParsed: boolean;
}

/** The named statements of a connection: those that were used last. */
class KeptStatements {
  #outdone: string[] = [];
  readonly #kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    memoMethod: () => ({ isParsed: false }),
    dispose: (_kept, name) => this.#outdone.push(name),
  });

  /** The statement of this name; it may take the place of the one that was used least lately. */
  use(name: string): Kept {
    return this.#kept.memo(name);
  }

  /** The names of those that lost their place since this was last asked. */
  takeOutdone(): readonly string[] {
    const names = this.#outdone;
    this.#outdone = [];
    return names;
  }

  /** From now on nobody knows whether the connection has what it had. */
  doubt(): void {
    for (const it of this.#kept.values()) it.isParsed = false;
  }
}

const keptStatementsOf = oncePer((_connection: Connection) => new KeptStatements());

/** Has the connection forget a statement; it is no error if there is none. */
const closing = (name: string): Buffer => serialize.close({ type: "S", name });

/** When a connection answered last. */
const answeredAt = new WeakMap<Connection, number>();

/**
 * What pg calls while the answer arrives. It extends pg's own query, for on a connection that takes
 * several queries at once (`pipeline`) pg allows no others: they might wait before their Sync.
 */
class Flight extends Query {
  /** When PostgreSQL took it in hand: after those that were sent before it were answered. */
  startedAt = performance.now();
  readonly landed: Promise<void>;
  callback: (error: unknown) => void;
  readonly #steps: readonly Step[];
  readonly #areNamed: boolean;
  readonly #done: Row[][];
  readonly #kept: Kept[] = [];
  #rows: Row[] = [];

  constructor(steps: readonly Step[], areNamed: boolean, done: Row[][]) {
    super("");
    this.#steps = steps;
    this.#areNamed = areNamed;
    this.#done = done;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.landed = promise;
    this.callback = (error) => (error ? reject(error) : resolve());
  }

  override submit = (connection: Connection): void => {
    const statements = keptStatementsOf(connection);
    const messages: Buffer[] = [];
    for (const { name, text, values, isRare } of this.#steps) {
      const isNamed = this.#areNamed && !isRare;
      const statement = isNamed ? name : "";
      const kept = isNamed ? statements.use(name) : undefined;
      if (kept) this.#kept.push(kept);
      // It may exist all the same: when it was parsed and another message failed.
      if (kept && !kept.isParsed) messages.push(closing(name));
      if (!kept?.isParsed) messages.push(serialize.parse({ name: statement, text }));
      messages.push(serialize.bind({ statement, values: [...values] }), serialize.execute());
    }
    // These come first, for PostgreSQL skips what follows a message that fails.
    const forgotten = statements.takeOutdone().map(closing);
    // One that is not writable is about to end, and then fails what waits for it.
    if (connection.stream.writable)
      connection.stream.write(Buffer.concat([...forgotten, ...messages, serialize.sync()]));
  };

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#done.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(connection: Connection): void {
    this.#note(connection);
    for (const kept of this.#kept) kept.isParsed = true;
    this.callback(null);
  }

  handleError(error: unknown, connection: Connection): void {
    this.#note(connection);
    if (isOutdated(error)) keptStatementsOf(connection).doubt();
    this.callback(error);
  }

  /** No step copies rows from the client, for which PostgreSQL would wait until the time-out. */
  handleCopyInResponse(connection: Connection): void {
    this.callback(new Error("a step waits for rows to copy"));
    connection.stream.destroy();
  }

  handleCopyData(): void {}

  #note(connection: Connection): void {
    this.startedAt = Math.max(this.startedAt, answeredAt.get(connection) ?? 0);
    answeredAt.set(connection, performance.now());
  }
}
