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
}

const KEPT_AS = "kept";

/** Whose page this is. Nothing is kept for somebody whom the provider did not name. */
let owner: string | undefined;

/** From now on, this page shows what is this person's. */
export function keepFor(subject: string | undefined): void {
  owner = subject;
  if (read()?.subject !== owner) keepNothing();
}

export const keepNothing = (): void => localStorage.removeItem(KEPT_AS);

export function forget(): void {
  owner = undefined;
  keepNothing();
}

/** @param readAt when it was asked for */
export function keep(name: string, value: unknown, readAt: number): void {
  // In another tab the person may have signed out, or somebody else signed in.
  if (owner === undefined || keptTokens()?.subject !== owner) return;
  const values = { ...read()?.values, [name]: { value, readAt } };
  const kept: Kept = { subject: owner, values };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(kept));
  } catch {
    // There is no room for it, and what was kept of it before is older than the rest.
    keepNothing();
  }
}

export function keptValue<Value>(name: string): KeptValue<Value> | undefined {
  const kept = read();
  if (owner === undefined || kept?.subject !== owner) return undefined;
  return kept.values[name] as KeptValue<Value> | undefined;
}

function read(): Kept | undefined {
  const text = localStorage.getItem(KEPT_AS);
  return text === null ? undefined : JSON.parse(text);
}
