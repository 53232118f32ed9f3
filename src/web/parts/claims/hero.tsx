import { addressOfSpot } from "../../../addresses.ts";
import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { type OwnClaim, type Phase, phaseOf } from "../../api/own-claims.ts";
import type { Child } from "../../jsx.ts";
import { plain, t } from "../../messages/translate.ts";
import { hrefOf, updateQuery } from "../../routing.ts";
import { formatNear, formatShortLength, formatSpan } from "../../time/format.ts";
import { ContactDetails } from "../contact.tsx";
import { type Action, ActionButton, Refusal, useAction } from "../form.tsx";
import { Link } from "../link.tsx";
import { MoreMenu } from "../menu.tsx";
import { ParkingLine } from "../parking.tsx";
import { cancelClaim, finishClaim, named, share, toCalendar } from "./acts.ts";
import { keepPlace, type ShownClaim } from "./in-place.ts";
import { Badge, CancelLine, ClosedLine, canCancel, useLimits } from "./lines.tsx";

interface ActProperties {
  readonly claim: OwnClaim;
  readonly action: Action;
  readonly class?: string;
}

/** What replaces the buttons of a claim that ends takes as much space as they did. */
const ending = (act: () => Promise<void>) => (button: Element) => {
  keepPlace(button);
  return act();
};

export const FinishButton = ({ claim, ...attributes }: ActProperties) => (
  <ActionButton {...attributes} act={ending(() => finishClaim(claim))} text="claims.finish" />
);

export const CancelButton = ({
  claim,
  limits,
  ...attributes
}: ActProperties & { readonly limits: ClaimLimits }) => (
  <ActionButton
    {...attributes}
    act={ending(() => cancelClaim(claim, limits))}
    text="claims.cancel"
  />
);

interface ChangeProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
  readonly class?: string;
}

/** For a claim that has begun, only the end can change. */
export const ChangeButton = ({ claim, phase, ...attributes }: ChangeProperties) => (
  <button {...attributes} type="button" onClick={() => updateQuery({ changing: claim.id })}>
    {t(phase === "now" ? "claims.extend" : "app.change")}
  </button>
);

interface MenuProperties extends ActProperties {
  readonly phase: Phase;
  readonly first?: Child;
  readonly last?: Child;
}

export const ClaimMenu = ({ claim, action, phase, first, last }: MenuProperties) => (
  <MoreMenu label={t("claims.more", named(claim))}>
    {first}
    <ActionButton
      class="entry"
      action={action}
      act={() => toCalendar(claim)}
      text="claims.calendar"
    />
    <ActionButton class="entry" action={action} act={() => share(claim)} text="claims.send" />
    {phase === "now" && (
      <Link
        href={hrefOf(addressOfSpot(claim.spot), {
          report: "1",
        })}
        class="entry"
      >
        {t("claims.stranger")}
      </Link>
    )}
    {last}
  </MoreMenu>
);

interface ClaimHeroProperties {
  readonly claim: ShownClaim;
  readonly now: number;
  /** How it ended. Such a claim has no actions. */
  readonly outcome?: Child;
}

/** A claim with its place, its end, its owner and its actions. */
export function ClaimHero({ claim, now, outcome }: ClaimHeroProperties) {
  const action = useAction();
  const limits = useLimits(claim.spot.building_section);
  const { rest_stays_on_offer: givesBack } = useBuilding();
  const phase = phaseOf(claim, now);
  const [start, end] = [Date.parse(claim.start_time), Date.parse(claim.end_time)];
  const isOpen = phase !== "earlier" && outcome === undefined;
  return (
    <section class="card hero" aria-label={plain(claim.spot.spot_number)}>
      <div class="hero-head">
        <span class="hero-spot">{plain(claim.spot.spot_number)}</span>
        <Badge claim={claim} phase={phase} />
        <span class="quiet hero-place">{plain(claim.spot.building_section)}</span>
        {isOpen && <ClaimMenu claim={claim} phase={phase} action={action} />}
      </div>
      <p class="hero-time">
        <span class="near">{outcome ? formatSpan(start, end) : formatNear(start, end, now)}</span>
        {isOpen && (
          <strong>
            {phase === "now"
              ? t("claims.left", { length: formatShortLength(end - now) })
              : t("claims.begins", { length: formatShortLength(start - now) })}
          </strong>
        )}
      </p>
      {!outcome && claim.spot.notes != null && <p class="notes">{plain(claim.spot.notes)}</p>}
      <ParkingLine {...claim} />
      {outcome}
      {isOpen ? <ContactDetails claimId={claim.id} /> : <ClosedLine claim={claim} />}
      {isOpen && phase === "now" && givesBack && (
        <p class="quiet no-print">{t("claims.finishGivesBack")}</p>
      )}
      {isOpen && <CancelLine claim={claim} limits={limits} now={now} />}
      <Refusal action={action} />
      {isOpen && (
        <div class="actions no-print">
          {phase === "now" && <FinishButton claim={claim} action={action} class="main-action" />}
          <ChangeButton claim={claim} phase={phase} />
          {canCancel(claim, limits, now) && (
            <CancelButton claim={claim} limits={limits} action={action} class="danger" />
          )}
        </div>
      )}
    </section>
  );
}
