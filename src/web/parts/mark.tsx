import { plain } from "../messages/translate.ts";

interface MarkProperties {
  readonly mark: string | null | undefined;
  /** The name of the building. Its first letter replaces a missing mark. */
  readonly name: string;
}

/** The sign of the building. The name beside it says the same. */
export const Mark = ({ mark, name }: MarkProperties) => (
  <span class="mark" aria-hidden="true">
    {plain(mark || ([...name][0] ?? "P").toLocaleUpperCase())}
  </span>
);
