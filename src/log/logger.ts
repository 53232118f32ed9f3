import { constants, openSync } from "node:fs";
import { isatty } from "node:tty";
import { DatabaseError } from "pg";
import { type LogFn, type Logger, pino } from "pino";

export type { Logger };

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output, as log collectors read them. */
export const createLogger = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { logMethod: logAndFlush },
    },
    logOutput,
  );

const { warn = 0 } = pino.levels.values;

/** A warning, or worse, is written at once, with all lines before it. */
function logAndFlush(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  method.apply(this, args);
  if (level >= warn) logOutput.flush();
  else flushSoon();
}

/** What helps to find a fault. Not PostgreSQL's DETAIL and context: they contain people's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  if (!(error instanceof DatabaseError)) return { type, message, stack };
  const { code, constraint, table, routine } = error;
  return { type, message, code, constraint, table, routine, stack };
}

/** The longest that a line waits where the reader takes it. */
const LONGEST_WAIT_MS = 100;

/** How long the end of the process waits for the reader. */
const LAST_WAIT_MS = 500;

/**
 * Standard output for lines of the log. One write costs more than the rest of a small request, so
 * the lines of a busy moment are written together: some twenty, or what a tenth of a second brings.
 * Nothing waits for the reader. What is more than a megabyte behind is dropped, and counted.
 */
const logOutput = pino.destination({
  dest: withoutWaiting(),
  sync: true,
  minLength: 4096,
  maxLength: 1024 * 1024,
  retryEAGAIN: () => false,
});

let dropped = 0;
/** The error of the last attempt to write, if it failed. */
let failure: NodeJS.ErrnoException | undefined;
let hasComplained = false;
let isDue = false;

/** For the lines that wait. */
function flushSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    logOutput.flush();
  }, LONGEST_WAIT_MS).unref();
}

/** The bytes of the last write. It takes no more than one buffer, so another write follows. */
let written = 0;
logOutput.on("write", (bytes: number) => {
  failure = undefined;
  written = bytes;
  if (bytes > 0) flushSoon();
});
logOutput.on("error", (error: NodeJS.ErrnoException) => {
  failure = error;
  if (error.code === "EAGAIN") return flushSoon();
  if (!hasComplained)
    console.error(`The log cannot be written, and lines are lost: ${error.message}`);
  hasComplained = true;
});
logOutput.on("drop", () => {
  dropped += 1;
});
logOutput.on("drain", () => {
  if (failure !== undefined || dropped === 0) return;
  const line = { level: "warn", time: new Date().toISOString(), count: dropped };
  dropped = 0;
  logOutput.write(`${JSON.stringify({ ...line, message: "lines of the log were dropped" })}\n`);
  flushSoon();
});

// Also by process.exit(), or by an error that nobody caught. flushSync() would not end on a full disk.
process.once("exit", () => {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + LAST_WAIT_MS;
  do {
    if (failure) Atomics.wait(clock, 0, 0, 10);
    logOutput.flush();
  } while ((failure ? failure.code === "EAGAIN" : written > 0) && performance.now() < end);
});

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
