import { useEffect } from "preact/hooks";
import { createStore, useStore } from "../store.ts";

const EVERY = 30_000;

const clock = createStore(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The present moment. The part is drawn again as it passes. */
export function useNow(): number {
  useEffect(() => {
    clock.set(Date.now());
    users += 1;
    timer ??= setInterval(() => clock.set(Date.now()), EVERY);
    return () => {
      users -= 1;
      if (users > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return useStore(clock);
}
