import { addresses } from "../../../addresses.ts";
import { type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { t } from "../../messages/translate.ts";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { useInPlace } from "../../parts/claims/in-place.ts";
import { Link } from "../../parts/link.tsx";

interface NextProperties {
  readonly claims: readonly OwnClaim[];
  readonly now: number;
}

/** The place where the person parks now, or will park next. */
export function Next({ claims, now }: NextProperties) {
  const [next, ...others] = useInPlace(claims).filter(
    (claim) => claim.canUndo !== undefined || phaseOf(claim, now) !== "earlier",
  );
  if (next === undefined) return null;
  return (
    <div class="next stack">
      <ClaimHero key={next.id} claim={next} now={now} />
      {others.length > 0 && (
        <Link href={addresses.claims} class="quiet small">
          {t("now.others", { count: others.length })}
        </Link>
      )}
    </div>
  );
}
