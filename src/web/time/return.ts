import { useEffect } from "preact/hooks";
import { MINUTE } from "./zone.ts";

/** Longer than somebody looks at something else and then goes on. */
const LONG = 5 * MINUTE;

/** Calls it when somebody looks at the page again after a while. */
export function useReturn(call: () => void): void {
  useEffect(() => {
    let seenAt = Date.now();
    const look = () => {
      if (document.visibilityState === "visible" && Date.now() - seenAt > LONG) call();
      seenAt = Date.now();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}
