import { useEffect, useRef, useState } from "preact/hooks";
import { remove } from "../../api/client.ts";
import { allSpots, isOpen, ownWishes, windowsFor } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot, Wish } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { keepPlace } from "../../parts/claims/in-place.ts";
import { Button } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan, formatted } from "../../time/format.ts";
import { openClaimForm } from "../claim/make.ts";

export function Wishes() {
  const now = useNow();
  const { query } = useRoute();
  const read = useReading(ownWishes).value ?? [];
  // A withdrawn wish keeps its place. Otherwise a second tap would withdraw the wish that slides
  // there.
  const [withdrawn, setWithdrawn] = useState<readonly Wish[]>([]);
  const isWithdrawn = ({ id }: Wish) => withdrawn.some((one) => one.id === id);
  const wishes = [...read.filter((wish) => !isWithdrawn(wish)), ...withdrawn].toSorted(
    (a, b) => Date.parse(b.start_time) - Date.parse(a.start_time),
  );
  const spots = useReading(allSpots).value ?? [];
  if (wishes.length === 0) return null;
  const soonestFirst = wishes.toReversed();
  const open = soonestFirst.filter((wish) => isOpen(wish, now));
  const closed = wishes.filter((wish) => !isOpen(wish, now));
  return (
    <section class="stack">
      <h2>{t("wishes.title")}</h2>
      <ul class="cards">
        {[...open, ...closed].map((wish) => (
          <Card
            key={wish.id}
            wish={wish}
            now={now}
            spots={spots}
            isChosen={wish.id === query.wish}
            isWithdrawn={isWithdrawn(wish)}
            withdrawn={() => setWithdrawn((others) => [...others, wish])}
          />
        ))}
      </ul>
    </section>
  );
}

interface CardProperties {
  readonly wish: Wish;
  readonly now: number;
  readonly spots: readonly Spot[];
  readonly isChosen: boolean;
  readonly isWithdrawn: boolean;
  readonly withdrawn: () => void;
}

function Card({ wish, now, spots, isChosen, isWithdrawn, withdrawn }: CardProperties) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  const waits = isOpen(wish, now) && !isWithdrawn;
  const span = formatSpan(wish.start_time, wish.end_time);
  const withdraw = async (button: Element) => {
    keepPlace(button);
    await remove(`/wishes/${wish.id}`);
    withdrawn();
    toast(t("wishes.withdrawn", { span }));
  };
  return (
    <li ref={ref} class={isChosen ? "card stack chosen" : "card stack"}>
      <div>
        <div class="beside card-head">
          <strong>{span}</strong>
          {isWithdrawn ? (
            <span class="badge">{t("wishes.state.withdrawn")}</span>
          ) : (
            badge(wish, waits)
          )}
        </div>
        <p class="quiet">{placeOf(wish, spots)}</p>
      </div>
      {waits && <Free wish={wish} now={now} spots={spots} />}
      {!isWithdrawn && (
        <div class="actions no-print">
          <ActionButton
            act={withdraw}
            aria-label={t(waits ? "wishes.withdrawOf" : "wishes.removeOf", { span })}
            text={waits ? "wishes.withdraw" : "wishes.remove"}
          />
        </div>
      )}
    </li>
  );
}

function badge({ claim_id }: Wish, waits: boolean) {
  if (waits) return <span class="badge accent">{t("wishes.state.waiting")}</span>;
  return claim_id === undefined ? (
    <span class="badge">{t("wishes.state.over")}</span>
  ) : (
    <span class="badge good">{t("spots.claimed")}</span>
  );
}

function placeOf({ building_section, spot_id }: Wish, spots: readonly Spot[]): Text {
  const spot = spots.find(({ id }) => id === spot_id);
  const place = spot?.spot_number ?? building_section;
  return place === null ? t("wishes.anywhere") : plain(place);
}

interface FreeProperties {
  readonly wish: Wish;
  readonly now: number;
  readonly spots: readonly Spot[];
}

/** What is free now: the latest free window, or another one. Somebody may have been faster. */
function Free({ wish, now, spots }: FreeProperties) {
  const windows = useReading(windowsFor(wish)).value?.availabilities;
  if (windows === undefined) return null;
  const window = windows.find(({ id }) => id === wish.availability_id) ?? windows[0];
  if (window === undefined) {
    return <p>{t(wish.availability_id === undefined ? "wishes.nothingYet" : "wishes.faster")}</p>;
  }
  const spot = spots.find(({ id }) => id === window.spot_id)?.spot_number ?? "";
  const claim = () =>
    openClaimForm(window.id, Date.parse(wish.start_time), Date.parse(wish.end_time));
  return (
    <div class="stack">
      <p>
        {t("wishes.fits", { spot })}
        {window.id === wish.availability_id && offerOf(wish, now)}
      </p>
      <div class="actions no-print">
        <Button
          class="main-action"
          aria-label={t("claim.title", { spot })}
          onClick={claim}
          text="claim.claim"
        />
      </div>
    </div>
  );
}

function offerOf({ offered_from = "", offered_until = "" }: Wish, now: number) {
  if (!(Date.parse(offered_until) > now)) return null;
  const [from, until] = [formatted("moment", offered_from), formatted("moment", offered_until)];
  return plain(
    ` ${Date.parse(offered_from) > now ? t("wishes.keptLater", { from, until }) : t("wishes.kept", { until })}`,
  );
}
