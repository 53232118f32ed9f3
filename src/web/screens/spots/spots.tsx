import { useEffect, useRef, useState } from "preact/hooks";
import { person } from "../../api/person.ts";
import { plain, t } from "../../messages/translate.ts";
import { Icon } from "../../parts/icons.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { type OwnSpot, useOwnSpots } from "./own-spots.ts";
import { ShareDialog } from "./share.tsx";
import { SpotDialog } from "./spot-form.tsx";
import { WindowDialog, WindowLine } from "./window-line.tsx";
import { WithdrawDialog } from "./withdraw.tsx";

/** The person's own spots, and when they are shared. */
export function Spots() {
  const { profile } = useStore(person) ?? {};
  const spots = useOwnSpots(profile?.id ?? "", useNow());
  const register = (
    <button type="button" class="main-action" onClick={() => updateQuery({ register: "yes" })}>
      <Icon name="add" />
      {t("spots.register")}
    </button>
  );
  return (
    <div class="stack">
      {whenRead(spots, (all) =>
        all.length === 0 ? (
          <Empty title={t("spots.none")} text={t("spots.noneText")} actions={register} />
        ) : (
          <>
            <ul class="cards">
              {all.map((own) => (
                <Card key={own.spot.id} own={own} />
              ))}
            </ul>
            <div class="actions no-print">{register}</div>
          </>
        ),
      )}
      <Dialogs spots={spots.value ?? []} />
    </div>
  );
}

/** As many as fit on a phone. */
const FEW = 6;

function Card({ own: { spot, windows } }: { readonly own: OwnSpot }) {
  const { query } = useRoute();
  const ref = useRef<HTMLLIElement>(null);
  const [isWhole, showAll] = useState(false);
  const isChosen = query.spot === spot.id;
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const shown = isWhole ? windows : windows.slice(0, FEW);
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
      <ul class="windows">
        {shown.map((own) => (
          <WindowLine key={own.window.id} {...own} />
        ))}
      </ul>
      {shown.length < windows.length && (
        <button type="button" class="plain" onClick={() => showAll(true)}>
          {t("spots.allWindows", { count: windows.length })}
        </button>
      )}
      <div class="actions no-print">
        <button {...described} type="button" class="main-action" onClick={open("share")}>
          {t("share.share")}
        </button>
        {windows.length > 0 && (
          <button {...described} type="button" onClick={open("withdraw")}>
            {t("withdraw.several")}
          </button>
        )}
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
  const [sharing, withdrawing, editing] = [spotOf("share"), spotOf("withdraw"), spotOf("edit")];
  const window = spots
    .flatMap(({ windows }) => windows)
    .find((own) => own.window.id === query.change)?.window;
  return (
    <div>
      {query.register !== undefined && <SpotDialog close={close("register")} />}
      {editing && <SpotDialog spot={editing.spot} close={close("edit")} />}
      {sharing && <ShareDialog own={sharing} close={close("share")} />}
      {withdrawing && <WithdrawDialog own={withdrawing} close={close("withdraw")} />}
      {window && <WindowDialog window={window} close={close("change")} />}
    </div>
  );
}
