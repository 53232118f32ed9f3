import { useState } from "preact/hooks";
import { claimsOf, phaseOf } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useMovingReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { Row } from "./row.tsx";

const PAGE = 20;
/** The most rows that the API returns at once. */
const MOST = 200;

/** Past claims. They are read only when the person opens the list. */
export function Earlier() {
  const [isOpen, open] = useState(false);
  return (
    <details class="earlier" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <h2>{t("claims.earlier")}</h2>
      </summary>
      {isOpen && <List />}
    </details>
  );
}

function List() {
  const { profile } = useStore(person) ?? {};
  const now = useNow();
  const [first, setFirst] = useState(PAGE);
  return (
    <div class="stack">
      {whenRead(useMovingReading(claimsOf(profile?.id ?? "", first)), ({ nodes, totalCount }) => {
        const earlier = nodes.filter((claim) => phaseOf(claim, now) === "earlier");
        const isMore = nodes.length < Math.min(totalCount, MOST);
        if (earlier.length === 0 && !isMore) return <p class="quiet">{t("claims.noneEarlier")}</p>;
        return (
          <>
            <ul class="claim-rows">
              {earlier.map((claim) => (
                <Row key={claim.id} claim={claim} now={now} />
              ))}
            </ul>
            {isMore && (
              <button type="button" onClick={() => setFirst(Math.min(first + PAGE, MOST))}>
                {t("app.more")}
              </button>
            )}
          </>
        );
      })}
    </div>
  );
}
