import { addresses } from "../../../addresses.ts";
import { useBuilding } from "../../api/building.ts";
import { allSections, allSpots, claimsSince, limitsIn, windowsOfSpot } from "../../api/lists.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useMovingReading, useReading } from "../../api/reading.ts";
import type { Spot as SpotOfApi } from "../../api/resources.ts";
import type { Child } from "../../jsx.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { StrangerButton } from "../../parts/claims/stranger.tsx";
import { Contact } from "../../parts/contact.tsx";
import { Button, Link } from "../../parts/controls.tsx";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { Star } from "../../parts/star.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNear, formatNearMoment } from "../../time/format.ts";
import { dateOf, type Span, startOfDay, timeZone } from "../../time/zone.ts";
import { openClaimForm, showAnswer, useTap } from "../claim/make.ts";
import { soonest } from "../claim/times.ts";
import { type Offer, offersOf, type SpotState, stateOf } from "./state.ts";

/** One spot, opened by the code on its sign: whether it is free, and a claim with one tap. */
export function Spot() {
  const { name = "" } = useRoute();
  return whenRead(useReading(allSpots), (spots) => {
    const spot = spotNamed(spots, name);
    if (spot !== undefined) return <OneSpot key={spot.id} spot={spot} />;
    return (
      <Empty
        title="spot.unknown"
        values={{ name }}
        text="spot.unknownText"
        actions={<Link href={addresses.board} class="button" text="spot.toBoard" />}
      />
    );
  });
}

/** Numbers are unique even without their case and their compatibility forms. */
function spotNamed(spots: readonly SpotOfApi[], name: string): SpotOfApi | undefined {
  const key = (number: string) => number.normalize("NFKC").toLowerCase();
  return spots.find(({ id, spot_number }) => key(spot_number) === key(name) || id === name);
}

function OneSpot({ spot }: { readonly spot: SpotOfApi }) {
  const personId = usePersonId();
  const now = useNow();
  const since = startOfDay(dateOf(now, timeZone()), timeZone());
  const { rest_stays_on_offer: restIsFree = false } = useBuilding();
  const isOwn = spot.owner_id === personId;
  const all = together({
    windows: useMovingReading(windowsOfSpot(spot.id, since)),
    claims: useMovingReading(claimsSince(since)),
    sections: useReading(allSections),
  });
  return (
    <div class="stack spot-screen">
      <div class="beside head-row">
        <p class="quiet">{plain(spot.building_section)}</p>
        {!spot.is_verified && <span class="badge attention">{t("spots.unverified")}</span>}
        {!isOwn && <Star spot={spot} />}
      </div>
      {spot.notes !== undefined && <p class="notes">{plain(spot.notes)}</p>}
      {whenRead(all, ({ windows, claims, sections }) => {
        const known = {
          windows,
          claims,
          limits: limitsIn(spot.building_section, sections),
          restIsFree,
          personId,
          isOwn,
          now,
        };
        const state = stateOf(known);
        const offers = isOwn ? [] : offersOf(known);
        const shown = state.kind === "free" ? state.offer.free.start : undefined;
        return (
          <>
            <Present state={state} isOwn={isOwn} now={now} />
            {state.kind === "yours" && state.part.start <= now && (
              <StrangerButton spotId={spot.id} class="no-print" />
            )}
            <Later offers={offers.filter(({ free }) => free.start !== shown)} now={now} />
          </>
        );
      })}
      {isOwn && <OwnActions spot={spot} />}
    </div>
  );
}

/** The owner's actions. The forms belong to the screen of own spots. */
const OwnActions = ({ spot }: { readonly spot: SpotOfApi }) => (
  <div class="actions no-print">
    <Link
      href={hrefOf(addresses.spots, { share: spot.id })}
      class="button main-action"
      text="share.share"
    />
    <Link
      href={hrefOf(addresses.spots, { keep: spot.id })}
      class="button"
      text="exceptions.keepTitle"
    />
    <Link href={hrefOf(addresses.signs, { spot: spot.id })} class="button" text="spots.sign" />
    <StrangerButton spotId={spot.id} />
  </div>
);

interface PresentProperties {
  readonly state: SpotState;
  readonly isOwn: boolean;
  readonly now: number;
}

export function Present({ state, isOwn, now }: PresentProperties) {
  const until = ({ end }: Span) => ({ time: formatNearMoment(end, now) });
  switch (state.kind) {
    case "yours": {
      const { start, end, claim } = state.part;
      return (
        <Card tone="yours" title={t("spot.yours", { span: formatNear(start, end, now) })}>
          {claim && <Contact claimId={claim.id} name="contact.owner" />}
          <Link
            href={hrefOf(addresses.claims, { claim: claim?.id })}
            class="button"
            text="spot.toClaims"
          />
        </Card>
      );
    }
    case "free":
      return (
        <Card tone="free" title={t("spot.freeUntil", until(state.offer.free))}>
          <Claim offer={state.offer} now={now} />
        </Card>
      );
    case "taken":
      return <Card tone="taken" title={t("spot.takenUntil", until(state.part))} />;
    case "shared":
      return <Card tone="shared" title={t("spot.sharedUntil", until(state.part))} />;
    case "lent": {
      const { claim } = state.part;
      return (
        <Card tone="lent" title={t("spot.lentUntil", until(state.part))}>
          {claim?.status === "active" && <Contact claimId={claim.id} name="contact.claimer" />}
        </Card>
      );
    }
    case "none":
      return <Card tone="taken" title={t(isOwn ? "spot.keptByYou" : "spot.notShared")} />;
  }
}

interface CardProperties {
  readonly tone: string;
  readonly title: Text;
  readonly children?: Child;
}

const Card = ({ tone, title, children }: CardProperties) => (
  <section class={`card stack spot-now ${tone}`}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Claims with one tap for the usual time, or with the form for another time. */
function Claim({ offer, now }: { readonly offer: Offer; readonly now: number }) {
  const { window, proposed, limits } = offer;
  const tap = useTap(limits);
  const { start, end } = proposed;
  // If notice is required, a spot that is free now can be claimed only for later.
  const isLater = start > soonest(now, {});
  const claim = async () => {
    const made = await tap(window.id, proposed);
    if (made) showAnswer(made.id);
  };
  return (
    <Actions>
      <ActionButton class="main-action" act={claim}>
        {isLater
          ? t("spot.claimSpan", { span: formatNear(start, end, now) })
          : t("spot.claimUntil", { time: formatNearMoment(end, now) })}
      </ActionButton>
      <Button onClick={() => openClaimForm(window.id, start)} text="spot.otherTimes" />
    </Actions>
  );
}

interface LaterProperties {
  readonly offers: readonly Offer[];
  readonly now: number;
}

const MOST = 5;

export function Later({ offers, now }: LaterProperties) {
  if (offers.length === 0) return null;
  return (
    <section class="card">
      <h2>{t("spot.later")}</h2>
      <ul class="windows">
        {offers.slice(0, MOST).map(({ window, free, proposed }) => {
          const span = formatNear(proposed.start, free.end, now);
          return (
            <li key={free.start}>
              <span class="near">{span}</span>
              <Button
                class="small-action"
                aria-label={t("spot.claimSpan", { span })}
                onClick={() => openClaimForm(window.id, proposed.start)}
                text="claim.claim"
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
