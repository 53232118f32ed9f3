import { useState } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { Link } from "../../parts/link.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { Card } from "./card.tsx";
import { Change } from "./change.tsx";
import { claimsOf, type OwnClaims, type Phase, phaseOf } from "./own-claims.ts";
import { Wishes } from "./wishes.tsx";

const PAGE = 50;

/** The person's claims: what is now, what comes, and what was. */
export function Claims() {
  const { profile } = useStore(person) ?? {};
  const [first, setFirst] = useState(PAGE);
  const reading = useReading(claimsOf(profile?.id ?? "", first));
  return (
    <div class="stack">
      <Wishes />
      {whenRead(reading, (claims) => (
        <Lists claims={claims} more={() => setFirst(first + PAGE)} />
      ))}
    </div>
  );
}

interface ListsProperties {
  readonly claims: OwnClaims;
  readonly more: () => void;
}

function Lists({ claims: { nodes, totalCount }, more }: ListsProperties) {
  const now = useNow();
  const { query } = useRoute();
  if (nodes.length === 0) {
    const find = (
      <Link href={addresses.now} class="button main-action">
        {t("find.find")}
      </Link>
    );
    return <Empty title={t("claims.none")} text={t("claims.noneText")} actions={find} />;
  }
  const byPhase = Map.groupBy(nodes, (claim) => phaseOf(claim, now));
  const changing = nodes.find(({ id }) => id === query.change);
  const list = (phase: Phase) => {
    const claims = byPhase.get(phase) ?? [];
    // The latest comes first from the API; of what is to come, the next is wanted.
    const ordered = phase === "earlier" ? claims : claims.toReversed();
    return (
      claims.length > 0 && (
        <section key={phase} class="stack">
          <h2>{t(`claims.${phase}`)}</h2>
          <ul class="cards">
            {ordered.map((claim) => (
              <Card key={claim.id} claim={claim} now={now} isChosen={claim.id === query.claim} />
            ))}
          </ul>
        </section>
      )
    );
  };
  return (
    <div class="stack">
      {list("now")}
      {list("coming")}
      {list("earlier")}
      {nodes.length < totalCount && (
        <button type="button" onClick={more}>
          {t("app.more")}
        </button>
      )}
      {changing && <Change claim={changing} now={now} />}
    </div>
  );
}
