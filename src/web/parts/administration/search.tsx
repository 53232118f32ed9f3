import { type Text, t } from "../../messages/translate.ts";
import { updateQuery, useRoute } from "../../routing.ts";

/** The search text is in the address, so it survives a reload. */
export function Search({ hint }: { readonly hint: Text }) {
  const { query } = useRoute();
  return (
    <input
      type="search"
      class="search"
      aria-label={t("admin.search")}
      placeholder={hint}
      value={query.search ?? ""}
      onInput={(event) => updateQuery({ search: event.currentTarget.value }, { replace: true })}
    />
  );
}

/** Whether the texts contain all words of the search. */
export function matches(search: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** In the order of numbers: 2A comes before 10A. */
export const byNumber = new Intl.Collator(undefined, { numeric: true }).compare;
