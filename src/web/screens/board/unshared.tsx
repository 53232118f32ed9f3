import { grouped } from "../../grouped.ts";
import { plain, t } from "../../messages/translate.ts";
import type { Row } from "./slots.ts";
import { choose } from "./view.ts";

interface UnsharedProperties {
  readonly rows: readonly Row[];
  readonly isOpen: boolean;
}

/** One row for all spots that nobody shares in the period. */
export function Unshared({ rows, isOpen }: UnsharedProperties) {
  if (rows.length === 0) return null;
  const bySection = grouped(rows, ({ spot }) => spot.building_section);
  return (
    <div class="unshared">
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen ? "true" : "false"}
        onClick={() => choose.unshared(!isOpen)}
      >
        {t("board.unshared", { count: rows.length })}
      </button>
      {isOpen && (
        <dl>
          {[...bySection].map(([name, inSection]) => (
            <div key={name}>
              <dt>{plain(name)}</dt>
              {inSection.map(({ spot }) => (
                <dd key={spot.id}>{plain(spot.spot_number)}</dd>
              ))}
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
