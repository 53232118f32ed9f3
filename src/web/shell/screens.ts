import { type Address, addresses } from "../../addresses.ts";
import { allSpots } from "../api/lists.ts";
import { readAhead } from "../api/reading.ts";
import type { Profile as ProfileOfApi } from "../api/resources.ts";
import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import type { IconName } from "../parts/controls.tsx";
import { lazy, withTexts } from "../parts/lazy.tsx";
import { Now } from "../screens/now/now.tsx";

/** A screen of the page. To add a screen, write an entry here. */
export interface Screen {
  readonly address: Address;
  readonly title: MessageKey;
  /** Set for screens in the main navigation, with the short name there. */
  readonly tab?: { readonly icon: IconName; readonly name: MessageKey };
  /** The people who may open it. `anyone` means every signed-in person. */
  readonly for: "anyone" | "resident" | "staff" | "administrator";
  readonly content: (properties: object) => Child;
  /** Set if no menu leads to it, but only other screens. */
  readonly isInNoMenu?: true;
}

/** People open it once in a while. People who are not approved see it at every address. */
const Profile = lazy(async () => {
  const screen = import("../screens/profile/profile.tsx");
  return (await withTexts(screen, "profile", "mail")).Profile;
});

/** Opened by a code on the wall, or by people who make the codes. */
const Spot = lazy(
  async () => (await withTexts(import("../screens/spot/spot.tsx"), "spot", "spots")).Spot,
);
const Signs = lazy(
  async () => (await withTexts(import("../screens/signs/signs.tsx"), "spot", "spots")).Signs,
);

type InTabs = "now" | "board" | "claims" | "spots" | "inbox";

const inTabs = (name: InTabs, short: MessageKey, content: Screen["content"]): Screen => ({
  address: addresses[name],
  title: `screen.${name}`,
  tab: { icon: name, name: short },
  for: "resident",
  content,
});

type Administration = typeof import("./administration.ts");

const administration = <Name extends keyof Administration>(
  name: Name,
  who: Screen["for"] = "administrator",
): Screen => {
  const key = name.toLowerCase() as Lowercase<Name>;
  return {
    address: addresses[key],
    title: `screen.${key}`,
    for: who,
    content: lazy(async () => {
      const screens = import("./administration.ts");
      return (await withTexts(screens, "administration", "board", "mail", "profile", "spots"))[
        name
      ];
    }),
  };
};

export const screens: readonly Screen[] = [
  inTabs("now", "screen.now", Now),
  inTabs(
    "board",
    "screen.board",
    lazy(async () => {
      // While the module is fetched, and not after it: the spots may need several requests.
      readAhead(allSpots);
      return (await withTexts(import("../screens/board/board.tsx"), "board")).Board;
    }),
  ),
  inTabs(
    "claims",
    "nav.claims",
    lazy(async () => (await withTexts(import("../screens/claims/claims.tsx"), "claims")).Claims),
  ),
  inTabs(
    "spots",
    "nav.spots",
    lazy(async () => (await withTexts(import("../screens/spots/spots.tsx"), "spots")).Spots),
  ),
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
  inTabs(
    "inbox",
    "screen.inbox",
    lazy(async () => (await import("../screens/inbox/inbox.tsx")).Inbox),
  ),
  { address: addresses.profile, title: "screen.profile", for: "anyone", content: Profile },
  administration("Waiting"),
  administration("Accounts"),
  administration("People"),
  administration("Verification"),
  administration("Garage", "staff"),
  administration("Use"),
  administration("Building"),
  administration("Webhooks"),
  administration("Keys"),
];

export function mayOpen({ for: who }: Screen, profile: ProfileOfApi | undefined): boolean {
  if (who === "anyone") return true;
  if (profile?.is_approved !== true) return false;
  return (
    who === "resident" || profile.is_admin || (who === "staff" && profile.is_concierge === true)
  );
}

export const screenAt = (address: Address | undefined): Screen | undefined =>
  screens.find((screen) => screen.address === address);
