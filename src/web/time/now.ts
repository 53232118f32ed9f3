import { shared } from "../storage.ts";

/** The service's time: the clock of a device may be wrong by minutes, or by the hours of a zone. */
export const now = (): number => Date.now() + ahead();

const KEY = "clock";

/** How far the service is ahead of this device, in milliseconds. The tabs share the value. */
const ahead = (): number => Number(shared.read(KEY) ?? 0);

export const CLOCK_WAS_SET = "clockwasset";

/** Sets the clock from an answer, which has the second and took a while to arrive. */
export function setClock({ headers }: Response, askedAt: number): void {
  const answeredAt = Date.now();
  const difference =
    Date.parse(headers.get("Date") ?? "") + 500 - (askedAt + answeredAt) / 2 - ahead();
  if (!(Math.abs(difference) > 1_000 + (answeredAt - askedAt) / 2)) return;
  shared.write(KEY, String(Math.round(ahead() + difference)));
  dispatchEvent(new Event(CLOCK_WAS_SET));
}

/** Sets the clock before any other request. Without an answer, the device's clock counts. */
export const askClock = async (): Promise<void> => {
  const askedAt = Date.now();
  const answer = fetch("/", { method: "HEAD", cache: "no-store" });
  await answer.then((response) => setClock(response, askedAt)).catch(() => {});
};
