import { type Address, moved, placeAt } from "../addresses.ts";
import { createStore, useStore } from "./store.ts";
import { mayLeave } from "./unsaved.ts";
import { isOutdated } from "./version.ts";

interface Route {
  readonly address: Address | undefined;
  /** What the screen shows, if the address says it. */
  readonly name?: string;
  readonly query: Readonly<Record<string, string>>;
}

function here(): Route {
  const address = moved.get(location.pathname);
  if (address !== undefined) history.replaceState(null, "", address + location.search);
  return {
    address: undefined,
    ...placeAt(location.pathname),
    query: Object.fromEntries(new URLSearchParams(location.search)),
  };
}

const route = createStore<Route>(here());

export const useRoute = (): Route => useStore(route);

type Query = Readonly<Record<string, string | undefined>>;

export function hrefOf(address: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

/** Asks first, because not every browser does. */
export function beginAnew(): void {
  if (mayLeave()) location.reload();
}

export function navigate(href: string): void {
  if (!mayLeave()) return;
  // Loads the new version, if nothing is lost.
  if (isOutdated.get()) {
    location.assign(href);
    return;
  }
  history.pushState(null, "", href);
  route.set(here());
  scrollTo(0, 0);
}

/** Changes the query of this screen. `replace` makes no step for the back button. */
export function updateQuery(changes: Query, { replace = false } = {}): void {
  const { query } = route.get();
  const href = hrefOf(location.pathname, { ...query, ...changes });
  if (replace) history.replaceState(history.state, "", href);
  else history.pushState({ before: hrefOf(location.pathname, query) }, "", href);
  route.set(here());
}

let isGoingBack = false;

/**
 * Returns a function that closes what these names of the address have opened, but nothing that is
 * opened later: the answer to a form may arrive when another form is open. Going back does not open
 * it again.
 */
export function closing(...names: readonly string[]): () => void {
  const opened = route.get().query;
  return () => {
    const { query } = route.get();
    if (isGoingBack || names.some((name) => query[name] !== opened[name])) return;
    const without = Object.fromEntries(names.map((name) => [name, undefined]));
    // Undoes the step that opened it. Otherwise the person's next step back would change nothing.
    isGoingBack = history.state?.before === hrefOf(location.pathname, { ...query, ...without });
    if (isGoingBack) history.back();
    else updateQuery(without, { replace: true });
  };
}

/** Called once, when it is known who is signed in. */
export function startRouting(): void {
  route.set(here());
  let shown = location.href;
  route.subscribe(() => {
    shown = location.href;
  });
  addEventListener("popstate", () => {
    // The browser has already gone back, so this returns a person who decides to stay.
    const isClosed = isGoingBack;
    isGoingBack = false;
    if (isClosed || mayLeave()) route.set(here());
    else history.pushState(null, "", shown);
  });
}
