/**
 * The addresses of the screens. The service answers each of them with the page. Each has one segment:
 * those of the API have two or more, below any base path. Only that of one spot has a second, its
 * number; where it is below the base path, it is the API's.
 */
export const addresses = {
  now: "/",
  board: "/board",
  claims: "/claims",
  spots: "/spots",
  spot: "/spot",
  signs: "/signs",
  inbox: "/inbox",
  profile: "/profile",
  waiting: "/waiting",
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

const isScreen = (path: string): path is Address => all.includes(path);

/** What is at a path. */
export interface Place {
  readonly address: Address;
  /** What the screen is about, such as the number of a spot. */
  readonly name?: string;
}

export function placeAt(path: string): Place | undefined {
  if (isScreen(path)) return { address: path };
  const [, encoded] = /^\/spot\/([^/]+)$/.exec(path) ?? [];
  return encoded === undefined ? undefined : { address: addresses.spot, name: decoded(encoded) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // somebody typed a per cent sign
  }
}

interface Numbered {
  readonly id: string;
  readonly spot_number: string;
}

/** Where a spot is shown: `/spot/A-101`. A browser takes `.` and `..` out of an address, also encoded. */
export const addressOfSpot = ({ id, spot_number: number }: Numbered): string =>
  `${addresses.spot}/${/^\.\.?$/.test(number) ? id : encodeURIComponent(number)}`;

/** Whether the page has something to show there. */
export const isPage = (path: string): boolean => placeAt(path) !== undefined || moved.has(path);

/** A file of the page: a name with a hash of its content. It has one segment, as the screens have. */
export const isAsset = (path: string): boolean => /^\/[\w.]+\.[A-Z0-9]{8}\.\w+$/.test(path);
