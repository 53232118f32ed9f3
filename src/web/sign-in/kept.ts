import { parsed, shared } from "../storage.ts";
import { storedTokens } from "./tokens.ts";

/**
 * What the person last saw, for a start without waiting and without a network. Like the tokens, it
 * is in the browser's storage, which only our own scripts can read. It belongs to one person, and
 * is removed when they sign out, when another person signs in, and when the service refuses them.
 */
interface Kept {
  readonly subject: string;
  readonly values: Readonly<Record<string, KeptValue<unknown>>>;
}

interface KeptValue<Value> {
  readonly value: Value;
  readonly readAt: number;
  readonly isOld?: boolean;
}

const KEY = "kept";

export const BUILDING_KEY = "name and zone of the building";

/** If there are more values, the oldest ones are removed. */
const MOST = 30;

/** The person of this page. Without a name from the provider, nothing is stored. */
let owner: string | undefined;

/** From now on, this page belongs to this person. */
export function keepFor(subject: string | undefined): void {
  owner = subject;
  if (read()?.subject !== owner) keepNothing();
}

export const keepNothing = (): void => shared.remove(KEY);

export function forget(): void {
  owner = undefined;
  keepNothing();
}

/** @param readAt the time of the request */
export function keep(name: string, value: unknown, readAt: number, isOld = false): void {
  // In another tab the person may have signed out, or another person may have signed in.
  if (owner === undefined || storedTokens()?.subject !== owner) return;
  const values = Object.entries({ ...read()?.values, [name]: { value, readAt, isOld } });
  const latest = values.toSorted(([, a], [, b]) => b.readAt - a.readAt).slice(0, MOST);
  const kept: Kept = { subject: owner, values: Object.fromEntries(latest) };
  shared.write(KEY, JSON.stringify(kept));
}

/** Removes the values with this prefix, except those with these names. */
export function keepOnly(beginning: string, names: ReadonlySet<string>): void {
  const kept = read();
  if (kept === undefined || kept.subject !== owner) return;
  const values = Object.entries(kept.values).filter(
    ([name]) => !name.startsWith(beginning) || names.has(name),
  );
  shared.write(KEY, JSON.stringify({ ...kept, values: Object.fromEntries(values) }));
}

/** After a change: the next start reads the value again, even if it precedes the next answer. */
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

const read = (): Kept | undefined => parsed(shared.read(KEY));
