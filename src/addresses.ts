/**
 * The addresses of the screens. The service answers each with the page. A screen's address has one
 * segment; addresses of the API have two or more, below any base path. Only the screen of a spot
 * has a second segment, the spot's number; below the base path, that address belongs to the API.
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
  keys: "/keys",
} as const;

export type Address = (typeof addresses)[keyof typeof addresses];

const all: readonly string[] = Object.values(addresses);

/** Old addresses, which are still in bookmarks and mails, and the screens that replaced them. */
export const moved: ReadonlyMap<string, Address> = new Map([["/find", addresses.now]]);

const isScreen = (path: string): path is Address => all.includes(path);

/** The screen at a path. */
export interface Place {
  readonly address: Address;
  /** The thing that the screen shows, such as the number of a spot. */
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

/**
 * The address of a spot's screen: `/spot/A-101`. Browsers remove `.` and `..` from an address, even
 * if they are encoded.
 */
export const addressOfSpot = ({ id, spot_number: number }: Numbered): string =>
  `${addresses.spot}/${/^\.\.?$/.test(number) ? id : encodeURIComponent(number)}`;

/** Whether the page shows something at this path. */
export const isPage = (path: string): boolean => placeAt(path) !== undefined || moved.has(path);

/** A file of the page: its name contains a hash of its content. It has one segment. */
export const isAsset = (path: string): boolean => /^\/[\w.-]+\.[A-Z0-9]{8}\.\w+$/.test(path);
