import { type OwnClaim, type Phase, phaseOf } from "../../api/own-claims.ts";
import type { Child } from "../../jsx.ts";
import { plain, t } from "../../messages/translate.ts";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNear, formatShortLength, formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { ContactDetails } from "../contact.tsx";
import { Button } from "../controls.tsx";
import { Acting, ActionButton, Refusal } from "../form.tsx";
import { lazy, withTexts } from "../lazy.tsx";
import { MoreMenu } from "../menu.tsx";
import { ParkingLine } from "../parking.tsx";
import { cancelClaim, finishClaim, named, share, toCalendar } from "./acts.ts";
import { keepPlace, type ShownClaim } from "./in-place.ts";
import { Badge, CancelLine, ClosedLine, canCancel, useLimits } from "./lines.tsx";

/** Loaded later, because most claims are not in use. */
const InUse = lazy(async () => (await import("./using.tsx")).InUse, null);

interface ActProperties {
  readonly claim: OwnClaim;
  readonly class?: string;
}

/** What replaces the buttons of a row that ends takes as much space as they did. */
const ending = (act: () => Promise<void>) => (button: Element) => {
  keepPlace(button);
  return act();
};

export const FinishButton = ({ claim, ...attributes }: ActProperties) => (
  <ActionButton {...attributes} act={ending(() => finishClaim(claim))} text="claims.finish" />
);

/** Nothing, if it is too late to cancel. */
export function CancelButton({ claim, ...attributes }: ActProperties) {
  const limits = useLimits(claim.spot.building_section);
  if (!canCancel(claim, limits, useNow())) return null;
  const act = ending(() => cancelClaim(claim, limits));
  return <ActionButton {...attributes} act={act} text="claims.cancel" />;
}

interface ChangeProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
  readonly class?: string | undefined;
}

/** For a claim that has begun, only the end can change. */
export const ChangeButton = ({ claim, phase, ...attributes }: ChangeProperties) => (
  <Button
    {...attributes}
    onClick={() => updateQuery({ changing: claim.id })}
    text={phase === "now" ? "claims.extend" : "app.change"}
  />
);

const endingOfSeries = () => withTexts(import("./series.ts"), "claims");

interface MenuProperties extends ActProperties {
  readonly first?: Child;
  readonly last?: Child;
}

export const ClaimMenu = ({ claim, first, last }: MenuProperties) => (
  <MoreMenu label={t("claims.more", named(claim))}>
    {first}
    <ActionButton class="entry" act={() => toCalendar(claim)} text="claims.calendar" />
    <ActionButton class="entry" act={() => share(claim)} text="claims.send" />
    {claim.series_id != null && Date.parse(claim.start_time) > now() && (
      <ActionButton
        class="entry alarm"
        act={async () => (await endingOfSeries()).cancelFrom(claim)}
        text="claims.cancelSeries"
      />
    )}
    {last}
  </MoreMenu>
);

interface ClaimHeroProperties {
  readonly claim: ShownClaim;
  readonly now: number;
  /** How it ended. Such a claim has no actions. */
  readonly outcome?: Child;
  /** What follows it. */
  readonly next?: Child;
}

/** A claim with its place, its end, its owner and its actions. */
export function ClaimHero({ claim, now, outcome, next }: ClaimHeroProperties) {
  const phase = phaseOf(claim, now);
  const [start, end] = [Date.parse(claim.start_time), Date.parse(claim.end_time)];
  const isOpen = phase !== "earlier" && outcome === undefined;
  const [isNow, isComing] = [isOpen && phase === "now", isOpen && phase === "coming"];
  // It was closed a moment ago: what was known of it is of no more use.
  const isClosed = claim.canUndo !== undefined && outcome === undefined;
  const change = (look?: string) => <ChangeButton claim={claim} phase={phase} class={look} />;
  return (
    <section class="card stack hero" data-row={claim.id} aria-label={plain(claim.spot.spot_number)}>
      <Acting>
        <div class="beside hero-head">
          <span class="hero-spot">{plain(claim.spot.spot_number)}</span>
          <Badge claim={claim} phase={phase} />
          <span class="quiet hero-place">
            {plain(claim.spot.building_section)}
            {!outcome && claim.spot.notes != null && plain(` · ${claim.spot.notes}`)}
          </span>
          {isOpen && (
            <ClaimMenu
              claim={claim}
              first={isNow && change("entry")}
              last={isNow && <CancelButton claim={claim} class="entry alarm" />}
            />
          )}
        </div>
        {!isClosed && (
          <>
            <p class="hero-time">
              <span class="near">
                {outcome ? formatSpan(start, end) : formatNear(start, end, now)}
              </span>
              {isNow && (
                <strong>{t("claims.left", { length: formatShortLength(end - now) })}</strong>
              )}
              {isComing && (
                <strong>{t("claims.begins", { length: formatShortLength(start - now) })}</strong>
              )}
            </p>
            <ParkingLine {...claim} />
          </>
        )}
        {outcome}
        {isOpen ? <ContactDetails claimId={claim.id} /> : <ClosedLine claim={claim} />}
        {isOpen && <CancelLine claim={claim} />}
        <Refusal />
        {isOpen && (
          <div class="actions no-print">
            {isNow && (
              <>
                <FinishButton claim={claim} class="main-action" />
                <InUse claim={claim} />
              </>
            )}
            {isComing && change()}
            {isComing && <CancelButton claim={claim} class="danger" />}
          </div>
        )}
      </Acting>
      {isNow && next}
    </section>
  );
}
