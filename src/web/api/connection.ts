import { createStore } from "../store.ts";

interface Connection {
  readonly state: "online" | "offline" | "waiting";
  /** While waiting, the time of the next attempt by performance.now(): clocks can be set back. */
  readonly until?: number;
  /** Whether it waits because the service is busy, not because this person sent too much. */
  readonly isBusy?: boolean;
}

/** The top of the page shows it. */
export const connection = createStore<Connection>({ state: "online" });

/**
 * Called for each answer. An answer to a request from before a refusal, or before the network was
 * lost, does not end the state.
 */
export const reportOnline = (): void => {
  if (navigator.onLine === false) return;
  const { state, until = 0 } = connection.get();
  if (state !== "online" && until <= performance.now()) connection.set({ state: "online" });
};

export const reportOffline = (): void => {
  if (connection.get().state !== "offline") connection.set({ state: "offline" });
};

/**
 * Waits until the service accepts requests again. Requests that come during this time wait too.
 * @param wait the time that the service asks to wait, in milliseconds
 */
export async function waitOut(wait: number, isBusy: boolean): Promise<void> {
  const until = Math.max(performance.now() + Math.max(wait, SHORTEST), connection.get().until ?? 0);
  connection.set({ state: "waiting", until, isBusy });
  await untilAllowed();
}

const SHORTEST = 1_000;

export async function untilAllowed(): Promise<void> {
  for (;;) {
    const { state, until = 0 } = connection.get();
    const rest = until - performance.now();
    if (state !== "waiting" || rest <= 0) return;
    await new Promise((resume) => setTimeout(resume, rest));
  }
}

/** The time of the last refusal for missing rights, which the person may just have lost. */
export const rightsRefused = createStore(0);
