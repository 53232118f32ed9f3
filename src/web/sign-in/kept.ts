import { parsed, shared } from "../storage.ts";
import { keptTokens } from "./tokens.ts";

/**
 * What the person last saw, for a start without waiting and without a connection. Like the tokens it
 * is in the browser's storage, where only our own scripts read, and belongs to one person: it goes
 * when they sign out, when somebody else signs in, and when the service refuses them.
 */
interface Kept {
  readonly subject: string;
  readonly values: Readonly<Record<string, KeptValue<unknown>>>;
}

export interface KeptValue<Value> {
  readonly value: Value;
  /** In milliseconds since 1970. */
  readonly readAt: number;
  /** There was a change since. */
  readonly isOld?: boolean;
}

const KEPT_AS = "kept";

export const BUILDING_IS_KEPT_AS = "name and zone of the building";

/** What was read longest ago goes when there are more. */
const MOST = 30;

/** Whose page this is. Nothing is kept for somebody whom the provider did not name. */
let owner: string | undefined;

/** From now on, this page shows what is this person's. */
export function keepFor(subject: string | undefined): void {
  owner = subject;
  if (read()?.subject !== owner) keepNothing();
}

export const keepNothing = (): void => shared.remove(KEPT_AS);

export function forget(): void {
  owner = undefined;
  keepNothing();
}

/** @param readAt when it was asked for */
export function keep(name: string, value: unknown, readAt: number, isOld = false): void {
  // In another tab the person may have signed out, or somebody else signed in.
  if (owner === undefined || keptTokens()?.subject !== owner) return;
  const values = Object.entries({ ...read()?.values, [name]: { value, readAt, isOld } });
  const latest = values.toSorted(([, a], [, b]) => b.readAt - a.readAt).slice(0, MOST);
  const kept: Kept = { subject: owner, values: Object.fromEntries(latest) };
  shared.write(KEPT_AS, JSON.stringify(kept));
}

/** Of the values whose names begin so, the others are dropped. */
export function keepOnly(beginning: string, names: ReadonlySet<string>): void {
  const kept = read();
  if (kept === undefined || kept.subject !== owner) return;
  const values = Object.entries(kept.values).filter(
    ([name]) => !name.startsWith(beginning) || names.has(name),
  );
  shared.write(KEPT_AS, JSON.stringify({ ...kept, values: Object.fromEntries(values) }));
}

/** There was a change: the next start reads it anew, though it may come before the next answer. */
export function keepAsOld(name: string): void {
  const kept = keptValue(name);
  if (kept) keep(name, kept.value, kept.readAt, true);
}

export const keptValue = <Value>(name: string): KeptValue<Value> | undefined =>
  keptValueOf(owner, name);

export function keptValueOf<Value>(
  subject: string | undefined,
  name: string,
): KeptValue<Value> | undefined {
  const kept = read();
  if (subject === undefined || kept?.subject !== subject) return undefined;
  return kept.values[name] as KeptValue<Value> | undefined;
}

const read = (): Kept | undefined => parsed(shared.read(KEPT_AS));
