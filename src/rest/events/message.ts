import { subjects } from "../../contract/events.ts";
import type { ResourceSchema } from "../../contract/schemas.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * An event as the stream has it (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * @param position where its reader then is
 */
export function messageOf(
  position: number | undefined,
  type: string,
  occurredAt: Date,
  values: Values,
) {
  const subject = subjects[type.split(".")[0] ?? ""];
  const data = subject ? shownAs(subject, values) : {};
  const json = JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
  const id = position === undefined ? "" : `id: ${position}\n`;
  return `${id}event: ${type}\ndata: ${json}\n\n`;
}

/** What the API shows of a row that the log has as JSON, as rendering.ts writes it from a row of the database. */
const shownAs = ({ properties, required }: ResourceSchema, values: Values): Values =>
  Object.fromEntries(
    Object.keys(properties)
      .map((name): [string, unknown] => [name, values[name] ?? null])
      .filter(([name, value]) => required.includes(name) || (value !== null && value !== false)),
  );

/**
 * What every stream has at first, and now and then: readers and proxies hear that it lives, and who
 * connects again goes on from here, also where nothing was for them. It is no event. The comment is for
 * parsers that tell ids with events only.
 */
export const heartbeatOf = (position: number): string =>
  position < 0 ? ":\n\n" : `: ${position}\nid: ${position}\n\n`;

/** How soon readers connect again, in milliseconds. */
export const RETRY = "retry: 2000\n";
