import { type Address, isScreen } from "./addresses.ts";
import { createStore, useStore } from "./store.ts";

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
