import type { Profile } from "../../api/resources.ts";
import type { Child } from "../../jsx.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { describePerson } from "../../parts/administration/people.ts";
import { Table } from "../../parts/table.tsx";
import { formatSpan, formatted } from "../../time/format.ts";
import type { NeverClaimed, NeverOffered } from "./reports.ts";

type People = ReadonlyMap<string, Profile>;

interface NeverOfferedProperties {
  readonly spots: readonly NeverOffered[];
  readonly people: People;
}

export const NeverOfferedList = ({ spots, people }: NeverOfferedProperties) =>
  list(spots, {
    title: t("use.neverOffered"),
    none: t("use.noneNeverOffered"),
    last: t("use.lastOffered"),
    people,
    lastOf: ({ last_offered }) =>
      last_offered === null ? t("use.never") : formatted("date", last_offered),
  });

interface NeverClaimedProperties {
  readonly windows: readonly NeverClaimed[];
  readonly people: People;
}

export const NeverClaimedList = ({ windows, people }: NeverClaimedProperties) =>
  list(windows, {
    title: t("use.neverClaimed"),
    none: t("use.noneNeverClaimed"),
    last: t("board.time"),
    people,
    lastOf: ({ start_time, end_time }) => formatSpan(start_time, end_time),
  });

/** A report may have ten thousand rows. The file has all of them. */
const SHOWN = 100;

interface ListProperties<Row> {
  readonly title: Text;
  readonly none: Text;
  readonly last: Text;
  readonly lastOf: (row: Row) => Child;
  readonly people: People;
}

function list<
  Row extends Pick<NeverOffered, "id" | "spot_number" | "building_section" | "owner_id">,
>(rows: readonly Row[], { title, none, last, lastOf, people }: ListProperties<Row>) {
  if (rows.length === 0) return <p>{none}</p>;
  const more = rows.length - SHOWN;
  return (
    <div class="stack">
      <div class="table-box tall" tabIndex={0} role="group" aria-label={title}>
        <Table
          caption={title}
          columns={[t("board.spot"), t("board.section"), t("verification.owner"), last]}
          rows={rows.slice(0, SHOWN).map((row) => ({
            key: row.id,
            cells: [
              plain(row.spot_number),
              plain(row.building_section),
              plain(describePerson(people, row.owner_id)),
              lastOf(row),
            ],
          }))}
        />
      </div>
      {more > 0 && <p class="quiet">{t("use.more", { count: more })}</p>}
    </div>
  );
}
