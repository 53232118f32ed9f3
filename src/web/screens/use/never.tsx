import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Table } from "../../parts/table.tsx";
import type { NeverOffered } from "./reports.ts";

/** A report may have ten thousand rows. The file has all of them. */
const SHOWN = 100;

interface NeverProperties {
  readonly title: Text;
  /** Shown instead of a table without rows. */
  readonly none: MessageKey;
  /** The title of the last column. */
  readonly last: MessageKey;
  readonly rows: readonly (Pick<
    NeverOffered,
    "id" | "spot_number" | "building_section" | "owner_id"
  > & { readonly last: Text })[];
}

/** The spots, or the windows, that were of no use. */
export function Never({ title, none, last, rows }: NeverProperties) {
  const people = usePeople();
  if (rows.length === 0) return <p>{t(none)}</p>;
  const more = rows.length - SHOWN;
  return (
    <div class="stack">
      <div class="table-box tall" tabIndex={0} role="group" aria-label={title}>
        <Table
          caption={title}
          columns={[t("board.spot"), t("board.section"), t("verification.owner"), t(last)]}
          rows={rows.slice(0, SHOWN).map(({ id, spot_number, building_section, ...row }) => ({
            key: id,
            cells: [
              plain(spot_number),
              plain(building_section),
              plain(describePerson(people, row.owner_id)),
              row.last,
            ],
          }))}
        />
      </div>
      {more > 0 && <p class="quiet">{t("use.more", { count: more })}</p>}
    </div>
  );
}
