import type { Address } from "../../addresses.ts";
import { addresses } from "../../addresses.ts";
import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { loadPart } from "../messages/translate.ts";
import type { IconName } from "../parts/icons.tsx";
import { Now } from "../screens/now/now.tsx";
import { lazy } from "./lazy.tsx";

/** A screen of the page. To add a screen, write an entry here. */
export interface Screen {
  readonly address: Address;
  readonly title: MessageKey;
  /** Set for screens in the main navigation, with the short name there. */
  readonly tab?: { readonly icon: IconName; readonly name: MessageKey };
  /** The people who may open it. `anyone` means every signed-in person. */
  readonly for: "anyone" | "resident" | "administrator";
  readonly content: () => Child;
  /** Set if no menu leads to it, but only other screens. */
  readonly isInNoMenu?: true;
}

/** People open it once in a while. People who are not approved see it at every address. */
const Profile = lazy(async () => {
  const [screen] = await Promise.all([
    import("../screens/profile/profile.tsx"),
    loadPart("profile"),
    loadPart("mail"),
  ]);
  return screen.Profile;
});

const forAdministrators = async () => {
  const [screens] = await Promise.all([
    import("./administration.ts"),
    loadPart("administration"),
    loadPart("mail"),
    loadPart("profile"),
  ]);
  return screens;
};

/** Opened by a code on the wall, or by people who make the codes. */
const Spot = lazy(async () => {
  const [screen] = await Promise.all([import("../screens/spot/spot.tsx"), loadPart("spot")]);
  return screen.Spot;
});
const Signs = lazy(async () => {
  const [screen] = await Promise.all([import("../screens/signs/signs.tsx"), loadPart("spot")]);
  return screen.Signs;
});

export const screens: readonly Screen[] = [
  {
    address: addresses.now,
    title: "screen.now",
    tab: { icon: "now", name: "screen.now" },
    for: "resident",
    content: Now,
  },
  {
    address: addresses.board,
    title: "screen.board",
    tab: { icon: "board", name: "screen.board" },
    for: "resident",
    content: lazy(async () => (await import("../screens/board/board.tsx")).Board),
  },
  {
    address: addresses.claims,
    title: "screen.claims",
    tab: { icon: "claims", name: "nav.claims" },
    for: "resident",
    content: lazy(async () => (await import("../screens/claims/claims.tsx")).Claims),
  },
  {
    address: addresses.spots,
    title: "screen.spots",
    tab: { icon: "spots", name: "nav.spots" },
    for: "resident",
    content: lazy(async () => (await import("../screens/spots/spots.tsx")).Spots),
  },
  {
    address: addresses.spot,
    title: "screen.spot",
    for: "resident",
    content: Spot,
    isInNoMenu: true,
  },
  {
    address: addresses.signs,
    title: "screen.signs",
    for: "resident",
    content: Signs,
    isInNoMenu: true,
  },
  {
    address: addresses.inbox,
    title: "screen.inbox",
    tab: { icon: "inbox", name: "screen.inbox" },
    for: "resident",
    content: lazy(async () => (await import("../screens/inbox/inbox.tsx")).Inbox),
  },
  {
    address: addresses.profile,
    title: "screen.profile",
    for: "anyone",
    content: Profile,
  },
  {
    address: addresses.waiting,
    title: "screen.waiting",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Waiting),
  },
  {
    address: addresses.accounts,
    title: "screen.accounts",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Accounts),
  },
  {
    address: addresses.people,
    title: "screen.people",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).People),
  },
  {
    address: addresses.verification,
    title: "screen.verification",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Verification),
  },
  {
    address: addresses.garage,
    title: "screen.garage",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Garage),
  },
  {
    address: addresses.use,
    title: "screen.use",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Use),
  },
  {
    address: addresses.building,
    title: "screen.building",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Building),
  },
  {
    address: addresses.webhooks,
    title: "screen.webhooks",
    for: "administrator",
    content: lazy(async () => (await forAdministrators()).Webhooks),
  },
];

export const screenAt = (address: Address | undefined): Screen | undefined =>
  screens.find((screen) => screen.address === address);
