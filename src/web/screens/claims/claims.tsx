import { addresses } from "../../../addresses.ts";
import { currentClaims, phaseOf } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { type ShownClaim, useInPlace } from "../../parts/claims/in-place.ts";
import { Link } from "../../parts/link.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { Earlier } from "./earlier.tsx";
import { One } from "./one.tsx";
import { Row } from "./row.tsx";
import { Wishes } from "./wishes.tsx";

/** The person's current, future and past claims, or the one claim of a link. */
export function Claims() {
  const { claim } = useRoute().query;
  return claim ? <One key={claim} id={claim} /> : <All />;
}

function All() {
  const { profile } = useStore(person) ?? {};
  const reading = useReading(currentClaims(profile?.id ?? ""));
  return (
    <div class="stack">
      {whenRead(reading, (claims) => (
        <Current claims={claims} />
      ))}
      <Wishes />
      <Earlier />
    </div>
  );
}

function Current({ claims }: { readonly claims: readonly ShownClaim[] }) {
  const now = useNow();
  // A claim that was just closed keeps its place, even if it was the hero.
  const [hero, ...others] = useInPlace(claims).filter(
    (claim) => claim.canUndo !== undefined || phaseOf(claim, now) !== "earlier",
  );
  if (hero === undefined) {
    const find = (
      <Link href={addresses.now} class="button main-action">
        {t("find.find")}
      </Link>
    );
    return <Empty title={t("claims.none")} text={t("claims.noneText")} actions={find} />;
  }
  return (
    <div class="current-claims">
      <ClaimHero key={hero.id} claim={hero} now={now} />
      {others.length > 0 && (
        <section class="stack claims-coming">
          <h2>{t("claims.coming")}</h2>
          <ul class="claim-rows">
            {others.map((claim) => (
              <Row key={claim.id} claim={claim} now={now} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
