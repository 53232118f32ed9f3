import { useEffect, useState } from "preact/hooks";

/** The number of items that a screen shows. Drawing them takes less than a tenth of a second. */
export const STEP = 30;

/**
 * The number of items to draw: first the visible ones, then the rest step by step, so that the page
 * stays responsive. Drawn items stay drawn.
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
