import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import type { Span } from "../../time/zone.ts";
import type { OwnSpot } from "./own-spots.ts";
import { spanOfRow } from "./week.ts";

interface TouchedProperties {
  readonly spots: readonly OwnSpot[];
  readonly span: Span;
}

/** What is shared in that time: what neighbours have claimed, and what is cut out of the rest. */
export function Touched({ spots, span }: TouchedProperties) {
  const touched = spots.flatMap(({ spot, windows }) =>
    windows.flatMap(({ window }) => {
      const { start, end } = spanOfRow(window);
      // Of a window that is free only this part is withdrawn.
      const part = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
      if (part.start >= part.end) return [];
      return [{ spot, window, part: window.is_claimed ? { start, end } : part }];
    }),
  );
  const name = (spot: Spot) => (spots.length > 1 ? `${spot.spot_number}: ` : "");
  return (
    <ul class="preview" aria-label={t("share.preview")}>
      {touched.map(({ spot, window, part }) => (
        <li key={window.id}>
          <span>{plain(name(spot) + formatSpan(part.start, part.end))}</span>
          <span class={window.is_claimed ? "badge attention" : "badge"}>
            {t(window.is_claimed ? "exceptions.claimed" : "exceptions.withdrawn")}
          </span>
        </li>
      ))}
    </ul>
  );
}
