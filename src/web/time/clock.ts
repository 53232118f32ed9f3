import { useEffect } from "preact/hooks";
import { createStore, useStore } from "../store.ts";
import { CLOCK_WAS_SET, now } from "./now.ts";

const EVERY = 30_000;

const clock = createStore(now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const look = (): void => clock.set(now());

/** No timer runs on a sleeping device, so the clock is set before anything can be tapped. */
function start(): void {
  timer = setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  addEventListener(CLOCK_WAS_SET, look);
}

function stop(): void {
  clearInterval(timer);
  document.removeEventListener("visibilitychange", look);
  removeEventListener("pageshow", look);
  removeEventListener(CLOCK_WAS_SET, look);
}

/** The present moment. The component is drawn again as time passes. */
export function useNow(): number {
  useEffect(() => {
    look();
    users += 1;
    if (users === 1) start();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return useStore(clock);
}
