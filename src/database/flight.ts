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
    await flight.answered;
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

/** PostgreSQL needs 80 kB for each that it has planned, in each connection. */
const MOST_PREPARED = 100;

/** Whether the connection has it. False while nobody knows: PostgreSQL may have skipped it. */
interface Prepared {
  isParsed: boolean;
}

/** What a connection has. */
class Session {
  /** The names of statements that lost their place to others, for PostgreSQL to forget. */
  evicted: string[] = [];
  /** The statements that were used last, by name. */
  readonly prepared = new LRUCache<string, Prepared>({
    max: MOST_PREPARED,
    memoMethod: () => ({ isParsed: false }),
    dispose: (_prepared, name) => this.evicted.push(name),
  });
  answeredAt = 0;
}

const sessionOf = oncePer((_connection: Connection) => new Session());

/** Has the connection forget a statement; it is no error if there is none. */
const closing = (name: string): Buffer => serialize.close({ type: "S", name });

/**
 * What pg calls while the answer arrives. It extends pg's own query, for on a connection that takes
 * several queries at once (`pipeline`) pg allows no others: they might wait before their Sync.
 */
class Flight extends Query {
  /** When PostgreSQL began with it: after those that were sent before it were answered. */
  startedAt = performance.now();
  readonly answered: Promise<void>;
  callback: (error: unknown) => void;
  readonly #steps: readonly Step[];
  readonly #areNamed: boolean;
  readonly #done: Row[][];
  readonly #prepared: Prepared[] = [];
  #rows: Row[] = [];

  constructor(steps: readonly Step[], areNamed: boolean, done: Row[][]) {
    super("");
    this.#steps = steps;
    this.#areNamed = areNamed;
    this.#done = done;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.answered = promise;
    this.callback = (error) => (error ? reject(error) : resolve());
  }

  override submit = (connection: Connection): void => {
    const session = sessionOf(connection);
    const messages: Buffer[] = [];
    for (const { name, text, values, isRare } of this.#steps) {
      const isNamed = this.#areNamed && !isRare;
      const statement = isNamed ? name : "";
      const prepared = isNamed ? session.prepared.memo(name) : undefined;
      if (prepared) this.#prepared.push(prepared);
      // It may exist all the same: when it was parsed and another message failed.
      if (prepared && !prepared.isParsed) messages.push(closing(name));
      if (!prepared?.isParsed) messages.push(serialize.parse({ name: statement, text }));
      messages.push(serialize.bind({ statement, values: [...values] }), serialize.execute());
    }
    // These come first, for PostgreSQL skips what follows a message that fails.
    messages.unshift(...session.evicted.splice(0).map(closing));
    // One that is not writable is about to end, and then fails what waits for it.
    if (connection.stream.writable)
      connection.stream.write(Buffer.concat([...messages, serialize.sync()]));
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
    this.#note(sessionOf(connection));
    for (const it of this.#prepared) it.isParsed = true;
    this.callback(null);
  }

  handleError(error: unknown, connection: Connection): void {
    const session = sessionOf(connection);
    this.#note(session);
    if (isOutdated(error)) for (const it of session.prepared.values()) it.isParsed = false;
    this.callback(error);
  }

  /** No step copies rows from the client, for which PostgreSQL would wait until the time-out. */
  handleCopyInResponse(connection: Connection): void {
    this.callback(new Error("a step waits for rows to copy"));
    connection.stream.destroy();
  }

  handleCopyData(): void {}

  #note(session: Session): void {
    this.startedAt = Math.max(this.startedAt, session.answeredAt);
    session.answeredAt = performance.now();
  }
}
