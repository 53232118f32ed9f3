import type { Child } from "../jsx.ts";
import type { Text } from "../messages/translate.ts";

interface TableProperties {
  /** Not shown, but read out. */
  readonly caption: Text;
  /** A column of buttons has no title. */
  readonly columns: readonly (Text | undefined)[];
  readonly rows: readonly TableRow[];
  readonly class?: string;
}

export interface TableRow {
  readonly key: string;
  /** The first is the title of the row. */
  readonly cells: readonly Child[];
}

export const Table = ({ caption, columns, rows, class: name }: TableProperties) => (
  <table class={name}>
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {columns.map((title, index) =>
          title ? (
            <th key={index} scope="col">
              {title}
            </th>
          ) : (
            <td key={index} />
          ),
        )}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells: [title, ...cells] }) => (
        <tr key={key}>
          <th scope="row">{title}</th>
          {cells.map((cell, index) => (
            <td key={index}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
