import type { VNode } from "preact";
import type { Address } from "../addresses.ts";
import { addresses } from "../addresses.ts";
import { part } from "../elements.ts";
import type { MessageKey } from "../messages/en.ts";
import { Board } from "../screens/board/board.ts";
import { Profile } from "../screens/profile/profile.ts";
import type { IconName } from "./icons.ts";

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

export const screens: readonly Screen[] = [
  {
    address: addresses.board,
    title: "screen.board",
    tab: { icon: "board", name: "screen.board" },
    for: "resident",
    show: () => part(Board, {}),
  },
  {
    address: addresses.profile,
    title: "screen.profile",
    for: "anyone",
    show: () => part(Profile, {}),
  },
];

export const screenAt = (address: Address | undefined): Screen | undefined =>
  screens.find((screen) => screen.address === address);
