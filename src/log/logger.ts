import { DatabaseError } from "pg";
import { type Logger, pino } from "pino";
import { logOutput } from "./output.ts";

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
    },
    logOutput,
  );

/** What helps to find a fault. Not PostgreSQL's DETAIL and context: they contain people's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  if (!(error instanceof DatabaseError)) return { type, message, stack };
  const { code, constraint, table, routine } = error;
  return { type, message, code, constraint, table, routine, stack };
}
