import { useEffect } from "preact/hooks";
import { MINUTE } from "./zone.ts";

/** Longer than people usually look at something else before they continue. */
const LONG = 5 * MINUTE;

/** Calls the function when a person looks at the page again after a while. */
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
