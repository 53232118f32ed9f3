import { type Child, elements, type Text } from "../../elements.ts";

const { dd, div, dl, dt } = elements;

/** Names and values, one below the other. Facts that are unknown are left out. */
export const facts = (entries: readonly (readonly [Text, Child | ""])[]) =>
  dl(
    { class: "facts" },
    entries.map(([name, value]) =>
      value ? div({ key: name }, dt({}, name), dd({}, value)) : null,
    ),
  );
