import { useRef } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { Unreachable } from "../../api/problem.ts";
import type { Claim } from "../../api/resources.ts";
import { given, type Parking } from "../../parts/parking-fields.tsx";
import type { Span } from "../../time/zone.ts";
import { stillAhead } from "./times.ts";

/** Claims a window, or a part of it. */
export async function makeClaim(
  windowId: string,
  { start, end }: Span,
  parking: Parking,
): Promise<Claim> {
  try {
    const { claim } = await post<{ readonly claim: Claim }>("/claims", {
      availability_id: windowId,
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
      ...given(parking),
    });
    return claim;
  } finally {
    // Also after a refusal: a neighbour may have been faster.
    changed("availabilities", "claims", "notifications");
  }
}

/** Claims at one tap. After one that got no answer, the next means the same times, and finds what was made. */
export function useTap(limits: ClaimLimits) {
  const lost = useRef<Span | undefined>(undefined);
  return async (windowId: string, proposed: Span, parking: Parking): Promise<Claim> => {
    const before = lost.current;
    const isAhead = before !== undefined && before.start > Date.now();
    const span = isAhead ? before : stillAhead(proposed, limits);
    try {
      return await makeClaim(windowId, span, parking);
    } catch (error) {
      lost.current = error instanceof Unreachable ? span : undefined;
      throw error;
    }
  };
}
