import { createStore } from "../store.ts";

/** What a person should know of the connection to the service. */
export interface Connection {
  readonly state: "online" | "offline" | "waiting";
  /** While waiting: when requests are sent again, by performance.now(), which nobody sets back. */
  readonly until?: number;
  /** Whether it waits because the service is busy, and not because this person sent too much. */
  readonly isBusy?: boolean;
}

/** Shown at the top of the page. */
export const connection = createStore<Connection>({ state: "online" });

/** Of an answer. One to a request that was sent before a refusal, or before the signal went, ends nothing. */
export const reportOnline = (): void => {
  if (navigator.onLine === false) return;
  const { state, until = 0 } = connection.get();
  if (state !== "online" && until <= performance.now()) connection.set({ state: "online" });
};

export const reportOffline = (): void => {
  if (connection.get().state !== "offline") connection.set({ state: "offline" });
};

/**
 * Waits until the service takes requests again; those that come meanwhile wait with it.
 * @param wait how long it asks to wait, in milliseconds
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

/** When the service last refused because the person lacks rights, which they may just have lost. */
export const rightsRefused = createStore(0);
