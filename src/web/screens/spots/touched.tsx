import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatSpan } from "../../time/format.ts";
import type { Span } from "../../time/zone.ts";
import type { OwnSpot } from "./own-spots.ts";

interface TouchedProperties {
  readonly spots: readonly OwnSpot[];
  readonly span: Span;
}

/** The windows in that time: claims of neighbours stay, and the rest is withdrawn. */
export function Touched({ spots, span }: TouchedProperties) {
  const touched = spots.flatMap(({ spot, parts }) =>
    parts.flatMap(({ id, start, end, isFree, claim }) => {
      const part = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
      if (part.start >= part.end || !(isFree || claim)) return [];
      return [{ id, spot, isFree, ...(isFree ? part : { start, end }) }];
    }),
  );
  const name = (spot: Spot) => (spots.length > 1 ? `${spot.spot_number}: ` : "");
  return (
    <ul class="preview" aria-label={t("share.preview")}>
      {touched.map(({ id, spot, isFree, start, end }) => (
        <li key={id}>
          <span>{plain(name(spot) + formatSpan(start, end))}</span>
          <span class={isFree ? "badge" : "badge attention"}>
            {t(isFree ? "exceptions.withdrawn" : "exceptions.claimed")}
          </span>
        </li>
      ))}
    </ul>
  );
}
