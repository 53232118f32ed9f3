import type { Child } from "../../jsx.ts";
import type { Text } from "../../messages/translate.ts";

/** Names and values, one below the other. Facts that are unknown are left out. */
export const Facts = ({
  entries,
}: {
  readonly entries: readonly (readonly [Text, Child | ""])[];
}) => (
  <dl class="facts">
    {entries.map(([name, value]) =>
      value ? (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null,
    )}
  </dl>
);
