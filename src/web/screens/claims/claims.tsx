import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { claimsOf, currentClaims, phaseOf } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { useMovingReading, useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { named } from "../../parts/claims/acts.ts";
import {
  CancelButton,
  ChangeButton,
  ClaimHero,
  ClaimMenu,
  FinishButton,
} from "../../parts/claims/hero.tsx";
import { type ShownClaim, useInPlace } from "../../parts/claims/in-place.ts";
import { Badge, CancelLine, ClosedLine, canCancel, useLimits } from "../../parts/claims/lines.tsx";
import { StrangerButton } from "../../parts/claims/stranger.tsx";
import { ContactDetails } from "../../parts/contact.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { Link } from "../../parts/link.tsx";
import { ParkingLine } from "../../parts/parking.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { One } from "./one.tsx";
import { Wishes } from "./wishes.tsx";

export function Claims() {
  const { claim } = useRoute().query;
  return claim ? <One key={claim} id={claim} /> : <All />;
}

function All() {
  const reading = useReading(currentClaims(usePersonId()));
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
  const [hero, ...others] = useInPlace(claims, now);
  if (hero === undefined) {
    const find = (
      <Link href={addresses.now} class="button main-action">
        {t("find.find")}
      </Link>
    );
    return <Empty title="claims.none" text="claims.noneText" actions={find} />;
  }
  return (
    <div class="current-claims">
      <ClaimHero key={hero.id} claim={hero} now={now} />
      {others.length > 0 && (
        <section class="stack claims-coming">
          <h2>{t("claims.coming")}</h2>
          <Rows claims={others} now={now} />
        </section>
      )}
    </div>
  );
}

const PAGE = 20;
/** The most rows that the API returns at once. */
const MOST = 200;

/** Past claims. They are read only when the person opens the list. */
function Earlier() {
  const [isOpen, open] = useState(false);
  return (
    <details class="earlier" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <h2>{t("claims.earlier")}</h2>
      </summary>
      {isOpen && <EarlierList />}
    </details>
  );
}

function EarlierList() {
  const now = useNow();
  const [first, setFirst] = useState(PAGE);
  const reading = useMovingReading(claimsOf(usePersonId(), first));
  return (
    <div class="stack">
      {whenRead(reading, ({ nodes, totalCount }) => {
        const earlier = nodes.filter((claim) => phaseOf(claim, now) === "earlier");
        const isMore = nodes.length < Math.min(totalCount, MOST);
        if (earlier.length === 0 && !isMore) return <p class="quiet">{t("claims.noneEarlier")}</p>;
        return (
          <>
            <Rows claims={earlier} now={now} />
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

interface RowsProperties {
  readonly claims: readonly ShownClaim[];
  readonly now: number;
}

const Rows = ({ claims, now }: RowsProperties) => (
  <ul class="claim-rows">
    {claims.map((claim) => (
      <Row key={claim.id} claim={claim} now={now} />
    ))}
  </ul>
);

/** A claim that is not the next one, or is over. Its actions are in its menu. */
function Row({ claim, now }: { readonly claim: ShownClaim; readonly now: number }) {
  const action = useAction();
  const [showsContact, showContact] = useState(false);
  const limits = useLimits(claim.spot.building_section);
  const phase = phaseOf(claim, now);
  const isOver = phase === "earlier";
  const entries = (
    <>
      {phase === "now" && <FinishButton claim={claim} action={action} class="entry alarm" />}
      <ChangeButton claim={claim} phase={phase} class="entry" />
      {phase === "now" && <StrangerButton spotId={claim.spot.id} class="entry" />}
      <button type="button" class="entry" onClick={() => showContact(true)}>
        {t("contact.owner")}
      </button>
    </>
  );
  const cancel = canCancel(claim, limits, now) && (
    <CancelButton claim={claim} limits={limits} action={action} class="entry alarm" />
  );
  return (
    <li class="claim-row">
      <Link href={hrefOf(addresses.claims, { claim: claim.id })} class="claim-spot">
        {plain(claim.spot.spot_number)}
      </Link>
      <div class="claim-what">
        <p>{named(claim).span}</p>
        <p class="quiet small">{plain(claim.spot.building_section)}</p>
        <ParkingLine {...claim} />
        {!isOver && <CancelLine claim={claim} limits={limits} now={now} />}
        {showsContact && !isOver && <ContactDetails claimId={claim.id} />}
        <Refusal action={action} />
      </div>
      <Badge claim={claim} phase={phase} />
      {isOver ? (
        <ClosedLine claim={claim} />
      ) : (
        <ClaimMenu claim={claim} action={action} first={entries} last={cancel} />
      )}
    </li>
  );
}
