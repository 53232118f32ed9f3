import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import {
  claimOf,
  claimsOf,
  currentClaims,
  type OneClaim,
  type OwnClaim,
  phaseOf,
} from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { useMovingReading, useReading } from "../../api/reading.ts";
import { grouped } from "../../grouped.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { named } from "../../parts/claims/acts.ts";
import {
  CancelButton,
  ChangeButton,
  ClaimHero,
  ClaimMenu,
  FinishButton,
} from "../../parts/claims/hero.tsx";
import { type ShownClaim, useInPlace } from "../../parts/claims/in-place.ts";
import { Badge, CancelLine, ClosedLine } from "../../parts/claims/lines.tsx";
import { StrangerButton } from "../../parts/claims/stranger.tsx";
import { ContactDetails } from "../../parts/contact.tsx";
import { Button, Link } from "../../parts/controls.tsx";
import { Acting, Refusal } from "../../parts/form.tsx";
import { ParkingLine } from "../../parts/parking.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatted, times } from "../../time/format.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { weekdayOf } from "../spots/plan.ts";
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
    const find = <Link href={addresses.now} class="button main-action" text="find.find" />;
    const actions = (
      <>
        {find}
        <EveryWeek />
      </>
    );
    return <Empty title="claims.none" text="claims.noneText" actions={actions} />;
  }
  return (
    <div class="stack current-claims">
      <ClaimHero key={hero.id} claim={hero} now={now} />
      <section class="stack claims-coming">
        <div class="beside card-head">
          {others.length > 0 && <h2>{t("claims.coming")}</h2>}
          <EveryWeek />
        </div>
        {others.length > 0 && (
          <ul class="claim-rows">
            {seriesIn(others).map((series) => {
              const [first, ...more] = series;
              if (first === undefined) return null;
              if (more.length === 0) return <Row key={first.id} claim={first} now={now} />;
              return <Series key={first.series_id ?? ""} claims={series} now={now} />;
            })}
          </ul>
        )}
      </section>
    </div>
  );
}

const EveryWeek = () => (
  <Button class="no-print" onClick={() => updateQuery({ series: "new" })} text="series.title" />
);

const PAGE = 20;
/** The most rows that the API returns at once. */
const MOST = 200;

/** Past claims. They are read only when the person opens the list. */
function Earlier() {
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
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
              <Button onClick={() => setFirst(Math.min(first + PAGE, MOST))} text="app.more" />
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

/** The claims in their order, those of one series together. */
const seriesIn = (claims: readonly ShownClaim[]): readonly (readonly ShownClaim[])[] => [
  ...grouped(claims, ({ id, series_id }) => series_id ?? id).values(),
];

/** One line for the claims of a series, which opens to the claims. */
const Series = ({ claims, now }: RowsProperties) => (
  <li class="claim-series">
    <details>
      <summary>{summaryOf(claims)}</summary>
      <Rows claims={claims} now={now} />
    </details>
  </li>
);

/** Such as `A-101 · Tue · 09:00–12:00 · 5 claims until Tue 22 Dec`. */
function summaryOf(claims: readonly ShownClaim[]): Text {
  const weekday = ({ start_time }: ShownClaim) =>
    weekdayOf(dateOf(Date.parse(start_time), timeZone()));
  const inWeek = claims.toSorted((a, b) => weekday(a) - weekday(b));
  const all = (say: (claim: ShownClaim) => string) => [...new Set(inWeek.map(say))];
  const spots = all(({ spot }) => spot.spot_number);
  const hours = all(({ start_time, end_time }) => times().hours(start_time, end_time));
  const until = formatted("day", claims.at(-1)?.start_time ?? 0);
  return plain(
    [
      spots.length === 1 ? spots[0] : t("series.spots", { count: spots.length }),
      all(({ start_time }) => formatted("weekday", start_time)).join(", "),
      ...(hours.length === 1 ? hours : []),
      t("series.more", { count: claims.length, until }),
    ].join(" · "),
  );
}

/** A claim that is not the next one, or is over. Its actions are in its menu. */
function Row({ claim, now }: { readonly claim: ShownClaim; readonly now: number }) {
  const [showsContact, showContact] = useState(false);
  const phase = phaseOf(claim, now);
  const isOver = phase === "earlier";
  const entries = (
    <>
      {phase === "now" && <FinishButton claim={claim} class="entry alarm" />}
      <ChangeButton claim={claim} phase={phase} class="entry" />
      {phase === "now" && <StrangerButton spotId={claim.spot.id} class="entry" />}
      <Button class="entry" onClick={() => showContact(true)} text="contact.owner" />
    </>
  );
  const cancel = <CancelButton claim={claim} class="entry alarm" />;
  return (
    <li class="claim-row">
      <Acting>
        <Link href={hrefOf(addresses.claims, { claim: claim.id })} class="claim-spot">
          {plain(claim.spot.spot_number)}
        </Link>
        <div class="claim-what">
          <p>{named(claim).span}</p>
          <p class="quiet small">{plain(claim.spot.building_section)}</p>
          <ParkingLine {...claim} />
          {!isOver && <CancelLine claim={claim} />}
          {showsContact && !isOver && <ContactDetails claimId={claim.id} />}
          <Refusal />
        </div>
        <Badge claim={claim} phase={phase} />
        {isOver ? (
          <ClosedLine claim={claim} />
        ) : (
          <ClaimMenu claim={claim} first={entries} last={cancel} />
        )}
      </Acting>
    </li>
  );
}

export function One({ id }: { readonly id: string }) {
  const back = <Link href={addresses.claims} class="button" text="claims.all" />;
  return (
    <div class="stack narrow">
      {whenRead(useReading(claimOf(id)), ({ claim, notifications }) =>
        claim ? (
          <>
            <Shown claim={claim} notifications={notifications} />
            <div class="actions">{back}</div>
          </>
        ) : (
          <Empty title="claims.gone" actions={back} />
        ),
      )}
    </div>
  );
}

function Shown({ claim, notifications }: OneClaim & { readonly claim: OwnClaim }) {
  const now = useNow();
  const isOwn = claim.claimer_id === usePersonId();
  const isCurrent = isOwn && phaseOf(claim, now) !== "earlier";
  const [shown] = useInPlace(isCurrent ? [claim] : [], now).filter(({ id }) => id === claim.id);
  if (shown !== undefined && (isCurrent || shown.canUndo)) {
    return <ClaimHero claim={shown} now={now} />;
  }
  const end = <End claim={claim} notifications={notifications} isOwn={isOwn} />;
  return <ClaimHero claim={claim} now={now} outcome={end} />;
}

/**
 * The person who ended it, the time and the reason. Claimers are notified of what others do, so
 * without a notification the claimer cancelled it. Only administrators give a reason.
 */
function End(properties: OneClaim & { readonly claim: OwnClaim; readonly isOwn: boolean }) {
  const { claim, notifications, isOwn } = properties;
  if (claim.status === "active") return null;
  const when = formatted("moment", claim.updated_at);
  if (claim.status === "completed") return <p>{t("claims.finishedOn", { when })}</p>;
  const notice = notifications.nodes.find(({ kind }) => kind === "claim.cancelled");
  const reason = notice?.data?.reason;
  if (reason === undefined) {
    return <p>{t(isOwn && !notice ? "claims.youCancelled" : "claims.wasCancelled", { when })}</p>;
  }
  return (
    <>
      <p>{t("claims.administratorCancelled", { when })}</p>
      <p>{t("claims.reason", { reason })}</p>
    </>
  );
}
