import { type Address, isScreen } from "./addresses.ts";
import { type Child, elements } from "./elements.ts";
import { createStore, useStore } from "./store.ts";

const { a } = elements;

/** Where a person is: a screen, and what they look at there. */
export interface Place {
  readonly address: Address | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const here = (): Place => ({
  address: isScreen(location.pathname) ? location.pathname : undefined,
  query: Object.fromEntries(new URLSearchParams(location.search)),
});

export const place = createStore<Place>(here());

export const usePlace = (): Place => useStore(place);

type Query = Readonly<Record<string, string | undefined>>;

export function hrefOf(address: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

/** Goes to another screen. */
export function go(href: string): void {
  history.pushState(null, "", href);
  place.set(here());
  scrollTo(0, 0);
}

/** Changes what is looked at on this screen. `replace` makes no step for the back button. */
export function look(changes: Query, { replace = false } = {}): void {
  const { query } = place.get();
  const href = hrefOf(location.pathname, { ...query, ...changes });
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  place.set(here());
}

/** Called once, when it is known who is signed in. */
export function startRouting(): void {
  place.set(here());
  addEventListener("popstate", () => place.set(here()));
}

type LinkAttributes = Parameters<typeof a>[0] & { readonly href: string };

/** A link within the page. With a modifier key it opens a tab, as any link. */
export const link = (attributes: LinkAttributes, ...children: readonly Child[]) =>
  a(
    {
      ...attributes,
      onClick: (event) => {
        attributes.onClick?.(event);
        const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!isPlain || event.button !== 0) return;
        event.preventDefault();
        go(attributes.href);
      },
    },
    ...children,
  );
