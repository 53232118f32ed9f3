import { plain } from "../messages/translate.ts";

interface MarkProperties {
  readonly mark: string | null | undefined;
  /** Of the building: its first letter stands for a mark. */
  readonly name: string;
}

/** The sign of the building. It says nothing that the name beside it does not say. */
export const Mark = ({ mark, name }: MarkProperties) => (
  <span class="mark" aria-hidden="true">
    {plain(mark || ([...name][0] ?? "P").toLocaleUpperCase())}
  </span>
);
