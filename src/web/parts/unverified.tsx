import { t } from "../messages/translate.ts";
import { Icon } from "./icons.tsx";

/** Marks a spot that no administrator has verified. The words are elsewhere on the screen. */
export const UnverifiedMark = () => (
  <span class="unverified">
    <Icon name="unverified" />
  </span>
);

export const Unverified = () => (
  <span class="badge attention">
    <UnverifiedMark />
    {t("spots.unverified")}
  </span>
);
