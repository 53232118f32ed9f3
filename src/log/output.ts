import { constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { pino, symbols } from "pino";

/** The number of bytes that is written without waiting for more: some twenty lines. */
const FULL = 4096;

/** The longest time that a line waits if the reader keeps up. */
const LONGEST_WAIT_MS = 100;

/** The number of bytes that wait for a slow reader. Later lines are dropped. */
const MOST_WAITING = 1024 * 1024;

const NEWLINE = 10;

/** The time that the end of the process waits for the reader. */
const LAST_WAIT_MS = 500;

/** A warning, or worse. */
const URGENT = pino.levels.values.warn ?? 0;

const output = withoutWaiting();

let lines = "";
/** The rest of the current write, from where the reader stopped. It may begin within a line. */
let begun = Buffer.alloc(0);
let isWithinLine = false;
let dropped = 0;
let hasComplained = false;
let pause: NodeJS.Timeout | undefined;

/**
 * Standard output for log lines. One write costs more than the rest of a small request, so lines of
 * a busy moment are written together. A line after a pause is written at once, and so is a warning
 * or worse with all lines before it. Nothing waits for the reader; without a reader only lines are
 * lost.
 */
export const logOutput = {
  [symbols.needsMetadataGsym]: true,
  /** pino sets this before each line. */
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

// This also runs for process.exit(), and for an error that nobody caught.
process.once("exit", () => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + LAST_WAIT_MS;
  while (!write() && performance.now() < end) Atomics.wait(clock, 0, 0, 10);
});

/** Writes what the reader takes. Returns whether nothing remains that it may take later. */
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

/**
 * Drops everything except the rest of a line that is partly written: without it, the next line
 * would continue that line.
 */
function dropAll({ message }: Error): void {
  const rest = isWithinLine ? begun.indexOf(NEWLINE) + 1 : 0;
  dropped += (begun.toString("latin1", rest) + lines).split("\n").length - 1;
  begun = begun.subarray(0, rest);
  lines = "";
  if (!hasComplained) console.error(`The log cannot be written, and lines are lost: ${message}`);
  hasComplained = true;
}

/** Says how many lines were dropped, and is written once all lines before it are. */
function lineOfDropped(): string {
  if (dropped === 0) return "";
  const line = { level: "warn", time: new Date().toISOString(), count: dropped };
  dropped = 0;
  return `${JSON.stringify({ ...line, message: "lines of the log were dropped" })}\n`;
}

/** Standard output for which a write fails with EAGAIN instead of waiting for the reader. */
function withoutWaiting(): number {
  // This makes Node open the stream, which sets a pipe or a socket to this mode.
  if (!isatty(1)) return process.stdout.fd;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync("/dev/stdout", O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return 1;
  }
}
