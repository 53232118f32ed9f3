import type { Child } from "../../jsx.ts";
import type { Text } from "../../messages/translate.ts";

/** One kind of matters that wait. */
export const Part = ({ title, children }: { readonly title: Text; readonly children: Child }) => (
  <section class="stack">
    <h2>{title}</h2>
    {children}
  </section>
);
