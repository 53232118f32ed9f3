import { useEffect, useRef } from "preact/hooks";
import { person } from "../../api/person.ts";
import { plain, t } from "../../messages/translate.ts";
import { Icon } from "../../parts/icons.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf, isShowable, timeZone } from "../../time/zone.ts";
import { ExceptionDialog } from "./exception-form.tsx";
import { Exceptions } from "./exceptions.tsx";
import { type OwnSpot, useOwnSpots } from "./own-spots.ts";
import { PatternDialog, Patterns } from "./patterns.tsx";
import { ShareDialog } from "./share.tsx";
import { SpotDialog } from "./spot-form.tsx";
import { mondayOf } from "./week.ts";
import { Week, WeekChoice } from "./week.tsx";
import { WindowDialog } from "./window.tsx";

/** The person's own spots, and when they are shared. */
export function Spots() {
  const { profile } = useStore(person) ?? {};
  const now = useNow();
  const owned = useOwnSpots(profile?.id ?? "", now);
  const { week = "" } = useRoute().query;
  const first = mondayOf(dateOf(now, timeZone()));
  const monday = isShowable(week) ? mondayOf(week) : weekOfNext(owned.value?.spots ?? [], now);
  const register = (
    <button type="button" class="main-action" onClick={() => updateQuery({ register: "yes" })}>
      <Icon name="add" />
      {t("spots.register")}
    </button>
  );
  return (
    <div class="stack">
      {whenRead(owned, ({ spots, exceptions }) =>
        spots.length === 0 ? (
          <Empty title={t("spots.none")} text={t("spots.noneText")} actions={register} />
        ) : (
          <>
            <Exceptions spots={spots} exceptions={exceptions} />
            <WeekChoice monday={monday} first={first} />
            <ul class="cards">
              {spots.map((own) => (
                <Card key={own.spot.id} own={own} monday={monday} />
              ))}
            </ul>
            <div class="actions no-print">{register}</div>
          </>
        ),
      )}
      <Dialogs spots={owned.value?.spots ?? []} />
    </div>
  );
}

/** The week in which there is something to see next. */
function weekOfNext(spots: readonly OwnSpot[], now: number): string {
  const starts = spots.flatMap(({ windows }) =>
    windows.map(({ window }) => Date.parse(window.start_time)),
  );
  const next = Math.max(now, starts.length > 0 ? Math.min(...starts) : now);
  return mondayOf(dateOf(next, timeZone()));
}

interface CardProperties {
  readonly own: OwnSpot;
  readonly monday: string;
}

function Card({ own, monday }: CardProperties) {
  const { spot, windows, patterns } = own;
  const { query } = useRoute();
  const ref = useRef<HTMLLIElement>(null);
  const isChosen = query.spot === spot.id;
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const open = (name: string) => () => updateQuery({ [name]: spot.id });
  const described = { "aria-describedby": `spot-${spot.id}` };
  return (
    <li ref={ref} class={isChosen ? "card stack chosen" : "card stack"}>
      <div>
        <div class="card-head">
          <h2 id={`spot-${spot.id}`} class="big">
            {plain(spot.spot_number)}
          </h2>
          {spot.is_verified ? (
            <span class="badge good">
              <Icon name="check" />
              {t("spots.verified")}
            </span>
          ) : (
            <span class="badge attention">{t("spots.unverified")}</span>
          )}
        </div>
        <p class="quiet">{plain(spot.building_section)}</p>
      </div>
      {windows.length === 0 && <p class="quiet">{t("spots.notShared")}</p>}
      <Week own={own} monday={monday} />
      {patterns.length > 0 && <Patterns patterns={patterns} />}
      <div class="actions no-print">
        <button {...described} type="button" class="main-action" onClick={open("share")}>
          {t("share.share")}
        </button>
        <button {...described} type="button" onClick={open("keep")}>
          {t("exceptions.keepTitle")}
        </button>
        <button {...described} type="button" onClick={open("away")}>
          {t("exceptions.shareTitle")}
        </button>
        <button {...described} type="button" onClick={open("edit")}>
          {t("app.edit")}
        </button>
      </div>
    </li>
  );
}

/** What is open is in the address, so going back closes it. */
function Dialogs({ spots }: { readonly spots: readonly OwnSpot[] }) {
  const { query } = useRoute();
  const close = (name: string) => () => updateQuery({ [name]: undefined });
  const spotOf = (name: string) => spots.find(({ spot }) => spot.id === query[name]);
  const [sharing, editing] = [spotOf("share"), spotOf("edit")];
  const [keeping, leaving] = [spotOf("keep"), spotOf("away")];
  const own = spots
    .flatMap(({ windows }) => windows)
    .find(({ window }) => window.id === query.change);
  const pattern = spots.flatMap(({ patterns }) => patterns).find(({ id }) => id === query.pattern);
  return (
    <div>
      {query.register !== undefined && <SpotDialog close={close("register")} />}
      {editing && <SpotDialog spot={editing.spot} close={close("edit")} />}
      {sharing && <ShareDialog own={sharing} close={close("share")} />}
      {keeping && <ExceptionDialog kind="keep" own={keeping} all={spots} close={close("keep")} />}
      {leaving && <ExceptionDialog kind="share" own={leaving} all={spots} close={close("away")} />}
      {own && <WindowDialog own={own} close={close("change")} />}
      {pattern && <PatternDialog pattern={pattern} close={close("pattern")} />}
    </div>
  );
}
