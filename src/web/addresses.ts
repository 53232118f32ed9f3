/**
 * The addresses of the screens. The service answers each of them with the page. Each has one segment:
 * those of the API have two or more, below any base path.
 */
export const addresses = {
  now: "/",
  board: "/board",
  claims: "/claims",
  spots: "/spots",
  inbox: "/inbox",
  profile: "/profile",
  accounts: "/accounts",
  people: "/people",
  verification: "/verification",
  garage: "/garage",
  use: "/use",
  building: "/building",
  webhooks: "/webhooks",
} as const;

export type Address = (typeof addresses)[keyof typeof addresses];

const all: readonly string[] = Object.values(addresses);

/** Addresses that people have in bookmarks and mails, and the screens that took their place. */
export const moved: ReadonlyMap<string, Address> = new Map([["/find", addresses.now]]);

export const isScreen = (path: string): path is Address => all.includes(path);

/** Whether the page has something to show there. */
export const isPage = (path: string): boolean => isScreen(path) || moved.has(path);

/** A file of the page: a name with a hash of its content. It has one segment, as the screens have. */
export const isAsset = (path: string): boolean => /^\/[\w.]+\.[A-Z0-9]{8}\.\w+$/.test(path);
