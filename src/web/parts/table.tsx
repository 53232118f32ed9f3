import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import type { Text } from "../messages/translate.ts";

/** The number of items that a screen shows. Drawing them takes less than a tenth of a second. */
const STEP = 30;

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

interface HeadProperties {
  readonly caption: Text;
  /** A column of buttons has no title. */
  readonly columns: readonly (Text | undefined)[];
}

export interface TableRow {
  readonly key: string;
  /** The first cell is the title of the row. */
  readonly cells: readonly Child[];
}

interface TableProperties extends HeadProperties {
  readonly rows: readonly TableRow[];
  readonly class?: string;
}

export const Table = ({ rows, class: name, ...head }: TableProperties) => (
  <table class={name}>
    <Head {...head} />
    <tbody>{rows.map(line)}</tbody>
  </table>
);

interface LongTableProperties<Item> extends HeadProperties {
  readonly items: readonly Item[];
  readonly row: (item: Item) => TableRow;
}

/**
 * A table of a thousand rows, which are made step by step. On a phone each row is a card. The roles
 * are explicit, because the browser no longer lays it out as a table.
 */
export function LongTable<Item>({ items, row, ...head }: LongTableProperties<Item>) {
  const drawn = useGradually(items.length);
  // Each row is made once, because Preact does not look again into the same object.
  const rows = useMemo((): VNode[] => [], [items]);
  for (const item of items.slice(rows.length, drawn)) rows.push(line(row(item)));
  return (
    <table class="long" role="table">
      <Head {...head} />
      <tbody role="rowgroup">{rows.slice()}</tbody>
    </table>
  );
}

const Head = ({ caption, columns }: HeadProperties) => (
  <>
    <caption class="unseen">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((title, index) =>
          title ? (
            <th key={index} scope="col" role="columnheader">
              {title}
            </th>
          ) : (
            <td key={index} role="cell" />
          ),
        )}
      </tr>
    </thead>
  </>
);

const line = ({ key, cells: [title, ...cells] }: TableRow) => (
  <tr key={key} role="row">
    <th scope="row" role="rowheader">
      {title}
    </th>
    {cells.map((cell, index) => (
      <td key={index} role="cell">
        {cell}
      </td>
    ))}
  </tr>
);
