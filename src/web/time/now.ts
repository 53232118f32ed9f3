import { shared } from "../storage.ts";

/** What the service calls now: the clock of a device is wrong by minutes, or by the hours of a zone. */
export const now = (): number => Date.now() + ahead();

const KEPT_AS = "clock";

/** By how much the service is ahead of this device, in milliseconds. The tabs of a browser share it. */
const ahead = (): number => Number(shared.read(KEPT_AS) ?? 0);

export const CLOCK_WAS_SET = "clockwasset";

/** From an answer of the service, which names the second. It was under way for a while. */
export function setClock({ headers }: Response, askedAt: number): void {
  const answeredAt = Date.now();
  const difference =
    Date.parse(headers.get("Date") ?? "") + 500 - (askedAt + answeredAt) / 2 - ahead();
  if (!(Math.abs(difference) > 1_000 + (answeredAt - askedAt) / 2)) return;
  shared.write(KEPT_AS, String(Math.round(ahead() + difference)));
  dispatchEvent(new Event(CLOCK_WAS_SET));
}

/** Before anything was asked of the service. Where it does not answer, the device is believed. */
export const askClock = async (): Promise<void> => {
  const askedAt = Date.now();
  const answer = fetch("/", { method: "HEAD", cache: "no-store" });
  await answer.then((response) => setClock(response, askedAt)).catch(() => {});
};
