import type { ServerResponse } from "node:http";
import type { Pool } from "pg";
import { pause } from "../../database/pause.ts";
import { overloaded, Problem } from "../../errors/problem.ts";
import { reasonOf } from "../../errors/reason.ts";
import type { Logger } from "../../log/logger.ts";
import { Bound, linesOf } from "../../overload/bound.ts";
import { isAboutToken, type TokenVerifier } from "../../tokens/verifier.ts";
import { type Page, readPage } from "./log.ts";
import { openStream, type Stream } from "./stream.ts";

interface Listener {
  readonly person: string;
  /** The header with the token, which is verified again and again. */
  readonly authorization: string | undefined;
  /** The position of the last event. */
  readonly latest: number;
  /** The position that the listener has got to, if it says so. */
  readonly after: number | undefined;
  /** Sends the head of the answer, once it is sure that it is one. */
  readonly begin: () => ServerResponse;
}

/** The streams of a process. */
export interface EventStreams {
  /** @throws Problem 429 or 503 where there are too many */
  open(listener: Listener): void;
  readonly count: () => number;
  /** How many were cut off because they did not read. */
  readonly dropped: () => number;
  /** Ends all, and opens no more. */
  stop(): Promise<void>;
}

export interface StreamParts {
  /** Connections of its own: requests do not wait for streams. */
  readonly pool: Pool;
  readonly tokens: Pick<TokenVerifier, "verify">;
  readonly logger: Logger;
  readonly mostOfPerson?: number;
  readonly most?: number;
  /** How many events a listener may have missed and still be shown: reading anew costs less than more. */
  readonly mostMissed?: number;
  /** For a reader who is behind to read what was sent. */
  readonly patienceMs?: number;
}

/** One follows, and the others catch up. */
export const STREAM_CONNECTIONS = 3;
const CATCHING_UP = STREAM_CONNECTIONS - 1;
const CATCHING_UP_MS = 60_000;

/** A position that no log has: the stream says that it begins anew. */
export const UNKNOWN = -1;

/** How often the log is asked, as often as jobs/runner.ts orders it: what happens is here within a second. */
const POLL_MS = 400;
/** How often each stream is checked: its token, and whether it has been silent for long. */
const CHECK_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const HEARTBEAT_MS = 20_000;

export function createEventStreams(parts: StreamParts): EventStreams {
  const { tokens, logger } = parts;
  const { mostOfPerson = 6, most = 1_000, mostMissed = 5_000, patienceMs = 10_000 } = parts;
  const streams = new Map<Stream, Listener>();
  // All of them may wait, and one that waits too long tries again.
  const bound = new Bound(CATCHING_UP_MS, "the streams before it took too long");
  const catchingUp = linesOf({
    name: "streams",
    running: CATCHING_UP,
    fewest: most,
    most,
    full: "too many streams catch up",
  });
  let position = 0;
  let dropped = 0;
  let isStopping = false;
  let following: Promise<void> | undefined;
  let wake = (): void => {};

  function open(listener: Listener): void {
    const { person, latest, after } = listener;
    if (isStopping || streams.size >= most) throw overloaded("too many streams are open");
    const own = [...streams.keys()].filter((it) => it.person === person);
    if (own.length >= mostOfPerson)
      throw new Problem("too_many_requests", {
        message: "Too many streams are open",
        headers: { "Retry-After": "60" },
      });
    if (!following) position = latest;
    const response = listener.begin();
    const isFar = after !== undefined && latest - after > mostMissed;
    const stream = openStream(response, person, isFar ? UNKNOWN : (after ?? latest));
    streams.set(stream, listener);
    response.once("close", () => streams.delete(stream));
    // While it was asked where the log is, the others may have got further.
    if (stream.position !== position) void catchUp(stream);
    following ??= follow();
  }

  /** Reads the log while there are streams. */
  async function follow(): Promise<void> {
    const watch = setInterval(() => {
      for (const [stream, listener] of streams) check(stream, listener);
    }, CHECK_MS);
    let failures = 0;
    while (streams.size > 0 && !isStopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        while (await showNext());
        if (failures > 0) logger.info("streams go on");
        failures = 0;
      } catch (error) {
        if (failures === 0)
          logger.warn({ reason: reasonOf(error) }, "streams wait for the database");
        failures += 1;
      }
      await pause(Math.min(POLL_MS * 2 ** failures, LONGEST_PAUSE_MS), woken);
    }
    clearInterval(watch);
    following = undefined;
  }

  /** Reads the next page once for all who follow. @returns whether there may be more */
  async function showNext(): Promise<boolean> {
    const people = [...new Set(Array.from(streams.keys(), ({ person }) => person))];
    const numbers = new Map(people.map((person, index) => [person, index + 1]));
    const page = await readPage(parts.pool, position, people);
    position = page.reached;
    for (const stream of streams.keys()) {
      if (stream.isBehind) continue;
      const number = numbers.get(stream.person);
      // It says nothing of people who came while the page was read, nor who lacks what is gone.
      const isShown =
        number !== undefined && page.reset === undefined && show(stream, page, number);
      if (!isShown && (stream.position !== position || stream.isFull())) void catchUp(stream);
    }
    return page.isFull;
  }

  /** @returns whether all of the page is on its way */
  function show(stream: Stream, page: Page, number: number): boolean {
    if (!page.approved.has(number)) stream.end();
    if (stream.isOver()) return true;
    if (page.reset !== undefined) {
      stream.send(page.reset);
      stream.position = page.reached;
      return true;
    }
    const from = stream.position;
    for (const { position, text, seenBy } of page.messages) {
      if (position <= from || seenBy?.has(number) === false) continue;
      if (position > stream.position && stream.isFull()) return false;
      stream.send(text);
      stream.position = position;
    }
    stream.position = Math.max(stream.position, page.reached);
    return true;
  }

  /** Reads by itself what the stream lacks, as fast as its reader takes it, until it is where the others are. */
  async function catchUp(stream: Stream): Promise<void> {
    stream.isBehind = true;
    let failures = 0;
    do {
      if (!(await stream.isReadWithin(patienceMs))) return drop(stream);
      if (stream.isOver()) return;
      try {
        const page = await bound.run([catchingUp()], () =>
          readPage(parts.pool, stream.position, [stream.person]),
        );
        show(stream, page, 1);
        failures = 0;
      } catch {
        failures += 1; // the log has it, of those who follow
        await pause(Math.min(POLL_MS * 2 ** failures, LONGEST_PAUSE_MS));
      }
    } while (failures > 0 || stream.isFull() || stream.position < position);
    stream.isBehind = false;
  }

  function drop(stream: Stream): void {
    dropped += 1;
    logger.info({ caller: stream.person }, "a stream is dropped whose reader is too slow");
    stream.destroy();
  }

  /** The token may have ended, and its key may be withdrawn. An outage says nothing of either. */
  function check(stream: Stream, { authorization }: Listener): void {
    stream.beat(HEARTBEAT_MS);
    tokens.verify(authorization).catch((error: unknown) => {
      if (error instanceof Problem && isAboutToken(error)) stream.end();
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    wake();
    for (const stream of streams.keys()) stream.end();
    await following;
  }

  return { open, count: () => streams.size, dropped: () => dropped, stop };
}
