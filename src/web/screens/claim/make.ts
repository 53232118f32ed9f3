import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Claim } from "../../api/resources.ts";
import { given, type Parking } from "../../parts/parking-fields.tsx";
import type { Span } from "../../time/zone.ts";

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
