import { useEffect, useState } from "preact/hooks";

/** As many as a screen shows; drawing them takes less than a tenth of a second. */
export const STEP = 30;

/**
 * How many of many things are drawn: what is seen at once, and the rest step by step, so that the
 * page answers meanwhile. What is drawn stays drawn.
 */
export function useGradually(count: number): number {
  const [drawn, setDrawn] = useState(STEP);
  const isLess = drawn < count;
  useEffect(() => {
    if (!isLess) return;
    const timer = setTimeout(() => setDrawn(drawn + STEP), 0);
    return () => clearTimeout(timer);
  }, [isLess, drawn]);
  return Math.min(drawn, count);
}
