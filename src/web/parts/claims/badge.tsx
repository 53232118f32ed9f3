import type { OwnClaim, Phase } from "../../api/own-claims.ts";
import { t } from "../../messages/translate.ts";

const badges = {
  now: "badge accent",
  coming: "badge good",
  earlier: "badge",
} as const satisfies Record<Phase, string>;

interface BadgeProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
}

/** The state of the claim in one word. */
export const Badge = ({ claim: { status }, phase }: BadgeProperties) => (
  <span class={badges[phase]}>
    {status === "active" ? t(`claims.phase.${phase}`) : t(`claims.status.${status}`)}
  </span>
);
