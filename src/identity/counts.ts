/** What the metrics count of sign-ins by mail. */
export const signInEvents = [
  "code_requested",
  "code_refused",
  "mail_sent",
  "mail_failed",
  "code_right",
  "code_wrong",
  "guess_refused",
] as const;

type SignInEvent = (typeof signInEvents)[number];

export type CountSignIns = (event: SignInEvent) => void;

export type SignInCounts = ReadonlyMap<string, number>;

export function createCounts(): { counts: SignInCounts; count: CountSignIns } {
  const counts = new Map<string, number>(signInEvents.map((event) => [event, 0]));
  return { counts, count: (event) => counts.set(event, (counts.get(event) ?? 0) + 1) };
}
