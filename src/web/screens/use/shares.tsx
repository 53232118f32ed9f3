import { plain, type Text } from "../../messages/translate.ts";
import { Table } from "../../parts/table.tsx";
import { formatShare } from "./reports.ts";

interface SharesProperties {
  readonly title: Text;
  readonly columns: readonly Text[];
  readonly rows: readonly {
    readonly name: Text;
    /** Null if there is nothing of which to have a share. */
    readonly shares: readonly (number | null)[];
  }[];
  /** What null means. */
  readonly nothing: Text;
}

/** Shares as a picture and a table in one: the larger a share, the darker is its cell. */
export const Shares = ({ title, columns, rows, nothing }: SharesProperties) => (
  <div class="table-box" tabIndex={0} role="group" aria-label={title}>
    <Table
      class="shares"
      caption={title}
      columns={columns}
      rows={rows.map(({ name, shares }) => ({
        key: name,
        cells: [name, ...shares.map((share) => cellOf(share, nothing))],
      }))}
    />
  </div>
);

/** Everybody can tell five shades apart: each is lighter than the next. */
const SHADES = 5;

function cellOf(share: number | null, nothing: Text) {
  if (share === null) {
    return (
      <>
        <span aria-hidden="true">{plain("–")}</span>
        <span class="unseen">{nothing}</span>
      </>
    );
  }
  const shade = Math.min(SHADES - 1, Math.floor(share * SHADES));
  return <span class={`shade-${shade}`}>{formatShare(share)}</span>;
}
