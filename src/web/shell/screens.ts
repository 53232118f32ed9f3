import type { VNode } from "preact";
import type { Address } from "../addresses.ts";
import { addresses } from "../addresses.ts";
import { part } from "../elements.ts";
import type { MessageKey } from "../messages/en.ts";
import { Board } from "../screens/board/board.ts";
import { Claims } from "../screens/claims/claims.ts";
import { Find } from "../screens/find/find.ts";
import { Inbox } from "../screens/inbox/inbox.ts";
import { Profile } from "../screens/profile/profile.ts";
import { Spots } from "../screens/spots/spots.ts";
import type { IconName } from "./icons.ts";
import { later } from "./later.ts";

/** A screen of the page. To add one, write an entry here. */
export interface Screen {
  readonly address: Address;
  readonly title: MessageKey;
  /** In the main navigation, and its short name there. */
  readonly tab?: { readonly icon: IconName; readonly name: MessageKey };
  /** Who may open it; `anyone` is every person who is signed in. */
  readonly for: "anyone" | "resident" | "administrator";
  readonly show: () => VNode;
}

const forAdministrators = () => import("../screens/administration/screens.ts");

export const screens: readonly Screen[] = [
  {
    address: addresses.board,
    title: "screen.board",
    tab: { icon: "board", name: "screen.board" },
    for: "resident",
    show: () => part(Board, {}),
  },
  {
    address: addresses.find,
    title: "screen.find",
    tab: { icon: "find", name: "screen.find" },
    for: "resident",
    show: () => part(Find, {}),
  },
  {
    address: addresses.claims,
    title: "screen.claims",
    tab: { icon: "claims", name: "nav.claims" },
    for: "resident",
    show: () => part(Claims, {}),
  },
  {
    address: addresses.spots,
    title: "screen.spots",
    tab: { icon: "spots", name: "nav.spots" },
    for: "resident",
    show: () => part(Spots, {}),
  },
  {
    address: addresses.inbox,
    title: "screen.inbox",
    tab: { icon: "inbox", name: "screen.inbox" },
    for: "resident",
    show: () => part(Inbox, {}),
  },
  {
    address: addresses.profile,
    title: "screen.profile",
    for: "anyone",
    show: () => part(Profile, {}),
  },
  {
    address: addresses.accounts,
    title: "screen.accounts",
    for: "administrator",
    show: later(async () => (await forAdministrators()).Accounts),
  },
  {
    address: addresses.verification,
    title: "screen.verification",
    for: "administrator",
    show: later(async () => (await forAdministrators()).Verification),
  },
  {
    address: addresses.garage,
    title: "screen.garage",
    for: "administrator",
    show: later(async () => (await forAdministrators()).Garage),
  },
  {
    address: addresses.use,
    title: "screen.use",
    for: "administrator",
    show: later(async () => (await forAdministrators()).Use),
  },
  {
    address: addresses.building,
    title: "screen.building",
    for: "administrator",
    show: later(async () => (await forAdministrators()).Building),
  },
];

export const screenAt = (address: Address | undefined): Screen | undefined =>
  screens.find((screen) => screen.address === address);
