import { useEffect, useState } from "preact/hooks";
import { createStore, useStore } from "../store.ts";
import { CLOCK_WAS_SET, now } from "./now.ts";
import { MINUTE } from "./zone.ts";

const EVERY = 30_000;

const clock = createStore(now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const update = (): void => clock.set(now());

/** No timer runs on a sleeping device, so the clock is set before anything can be tapped. */
function start(): void {
  timer = setInterval(update, EVERY);
  document.addEventListener("visibilitychange", update);
  addEventListener("pageshow", update);
  addEventListener(CLOCK_WAS_SET, update);
}

function stop(): void {
  clearInterval(timer);
  document.removeEventListener("visibilitychange", update);
  removeEventListener("pageshow", update);
  removeEventListener(CLOCK_WAS_SET, update);
}

/** The present moment. The component is drawn again as time passes. */
export function useNow(): number {
  useEffect(() => {
    update();
    users += 1;
    if (users === 1) start();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return useStore(clock);
}

/** Longer than people usually update at something else before they continue. */
const LONG = 5 * MINUTE;

/** Calls the function when a person looks at the page again after a while. */
export function useReturn(call: () => void): void {
  useEffect(() => {
    let seenAt = Date.now();
    const update = () => {
      if (document.visibilityState === "visible" && Date.now() - seenAt > LONG) call();
      seenAt = Date.now();
    };
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
}

/** In milliseconds: each letter that somebody types would be a request. */
const PAUSE = 400;

/** The value, once it has stayed the same for a while. */
export function usePaused<Value extends object | string>(value: Value): Value {
  const [paused, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(set, PAUSE, value);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
