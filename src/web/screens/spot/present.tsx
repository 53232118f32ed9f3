import { addresses } from "../../../addresses.ts";
import type { Child } from "../../jsx.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Contact } from "../../parts/contact.tsx";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { Link } from "../../parts/link.tsx";
import { hrefOf } from "../../routing.ts";
import { formatNear, formatNearMoment } from "../../time/format.ts";
import type { Span } from "../../time/zone.ts";
import { openClaimForm, showAnswer, useTap } from "../claim/make.ts";
import { soonest } from "../claim/times.ts";
import type { Offer, SpotState } from "./state.ts";

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
          <Link href={hrefOf(addresses.claims, { claim: claim?.id })} class="button">
            {t("spot.toClaims")}
          </Link>
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
      <button type="button" onClick={() => openClaimForm(window.id, start)}>
        {t("spot.otherTimes")}
      </button>
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
              <button
                type="button"
                class="small-action"
                aria-label={t("spot.claimSpan", { span })}
                onClick={() => openClaimForm(window.id, proposed.start)}
              >
                {t("claim.claim")}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
