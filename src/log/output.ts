import { constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { pino, symbols } from "pino";

/** As much is written without waiting for more: some twenty lines. */
const FULL = 4096;

/** The longest that a line waits where the reader takes it. */
const LONGEST_WAIT_MS = 100;

/** As much waits for a reader that is slow; what comes after it is dropped. */
const MOST_WAITING = 1024 * 1024;

const NEWLINE = 10;

/** For as long does the end of the process wait for the reader. */
const LAST_WAIT_MS = 500;

/** A warning, or worse. */
const URGENT = pino.levels.values.warn ?? 0;

const output = withoutWaiting();

let lines = "";
/** What is being written, from where the reader stopped: that may be within a line. */
let begun = Buffer.alloc(0);
let isWithinLine = false;
let dropped = 0;
let hasComplained = false;
let pause: NodeJS.Timeout | undefined;

/**
 * Standard output for lines of the log. One write costs more than the rest of a small request, so
 * the lines of a busy moment are written together. A line after a pause is written at once; so is
 * a warning or worse, with all lines before it. Nothing waits for the reader, and nothing but lines
 * is lost where there is none.
 */
export const logOutput = {
  [symbols.needsMetadataGsym]: true,
  /** Set by pino before each line. */
  lastLevel: 0,

  write(line: string): void {
    if (begun.length + lines.length > MOST_WAITING) dropped += 1;
    else lines += line;
    if (this.lastLevel >= URGENT || lines.length >= FULL || !pause) write();
    pause ??= setTimeout(endPause, LONGEST_WAIT_MS).unref();
  },
};

function endPause(): void {
  pause = write() ? undefined : setTimeout(endPause, LONGEST_WAIT_MS).unref();
}

// Also by process.exit(), or by an error that nobody caught.
process.once("exit", () => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + LAST_WAIT_MS;
  while (!write() && performance.now() < end) Atomics.wait(clock, 0, 0, 10);
});

/** Writes what the reader takes; answers whether nothing is left that it may take later. */
function write(): boolean {
  let isTaken = false;
  try {
    for (;;) {
      if (begun.length === 0) {
        begun = Buffer.from(lines || (isTaken ? lineOfDropped() : ""));
        lines = "";
      }
      if (begun.length === 0) return true;
      const length = writeSync(output, begun);
      isTaken = true;
      isWithinLine = begun[length - 1] !== NEWLINE;
      begun = begun.subarray(length);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "EAGAIN") return false;
    dropAll(error);
    return true;
  }
}

/** All but the rest of a line that was begun: the next one must not continue it. */
function dropAll({ message }: Error): void {
  const rest = isWithinLine ? begun.indexOf(NEWLINE) + 1 : 0;
  dropped += (begun.toString("latin1", rest) + lines).split("\n").length - 1;
  begun = begun.subarray(0, rest);
  lines = "";
  if (!hasComplained) console.error(`The log cannot be written, and lines are lost: ${message}`);
  hasComplained = true;
}

/** For once all lines before it are written. */
function lineOfDropped(): string {
  if (dropped === 0) return "";
  const line = { level: "warn", time: new Date().toISOString(), count: dropped };
  dropped = 0;
  return `${JSON.stringify({ ...line, message: "lines of the log were dropped" })}\n`;
}

/** Standard output, such that a write says EAGAIN instead of waiting for the reader. */
function withoutWaiting(): number {
  // This makes Node open the stream, which does that to a pipe and to a socket.
  if (!isatty(1)) return process.stdout.fd;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync("/dev/stdout", O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return 1;
  }
}
