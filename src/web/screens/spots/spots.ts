import { useEffect, useRef, useState } from "preact/hooks";
import { person } from "../../api/person.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.ts";
import { look, usePlace } from "../../routing.ts";
import { icon } from "../../shell/icons.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { type OwnSpot, useOwnSpots } from "./own-spots.ts";
import { ShareDialog } from "./share.ts";
import { SpotDialog } from "./spot-form.ts";
import { WindowDialog, WindowLine } from "./window-line.ts";
import { WithdrawDialog } from "./withdraw.ts";

const { button, div, h2, li, p, span, ul } = elements;

/** The person's own spots, and when they are shared. */
export function Spots() {
  const { profile } = useStore(person) ?? {};
  const spots = useOwnSpots(profile?.id ?? "", useNow());
  const register = button(
    { type: "button", class: "main-action", onClick: () => look({ register: "yes" }) },
    icon("add"),
    t("spots.register"),
  );
  return div(
    { class: "stack" },
    whenRead(spots, (all) =>
      all.length === 0
        ? part(Empty, { title: t("spots.none"), text: t("spots.noneText"), actions: register })
        : [
            ul(
              { key: "all", class: "cards" },
              all.map((own) => part(Card, { key: own.spot.id, own })),
            ),
            div({ key: "new", class: "actions no-print" }, register),
          ],
    ),
    part(Dialogs, { spots: spots.value ?? [] }),
  );
}

/** As many as fit on a phone. */
const FEW = 6;

function Card({ own: { spot, windows } }: { readonly own: OwnSpot }) {
  const { query } = usePlace();
  const ref = useRef<HTMLLIElement>(null);
  const [isWhole, showAll] = useState(false);
  const isChosen = query.spot === spot.id;
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const shown = isWhole ? windows : windows.slice(0, FEW);
  const open = (name: string) => () => look({ [name]: spot.id });
  const named = { "aria-describedby": `spot-${spot.id}` };
  return li(
    { ref, class: isChosen ? "card stack chosen" : "card stack" },
    div(
      {},
      div(
        { class: "card-head" },
        h2({ id: `spot-${spot.id}`, class: "big" }, plain(spot.spot_number)),
        spot.is_verified
          ? span({ class: "badge good" }, icon("check"), t("spots.verified"))
          : span({ class: "badge attention" }, t("spots.unverified")),
      ),
      p({ class: "quiet" }, plain(spot.building_section)),
    ),
    windows.length === 0 && p({ class: "quiet" }, t("spots.notShared")),
    ul(
      { class: "windows" },
      shown.map((own) => part(WindowLine, { key: own.window.id, ...own })),
    ),
    shown.length < windows.length &&
      button(
        { type: "button", class: "plain", onClick: () => showAll(true) },
        t("spots.allWindows", { count: windows.length }),
      ),
    div(
      { class: "actions no-print" },
      button(
        { ...named, type: "button", class: "main-action", onClick: open("share") },
        t("share.share"),
      ),
      windows.length > 0 &&
        button({ ...named, type: "button", onClick: open("withdraw") }, t("withdraw.several")),
      button({ ...named, type: "button", onClick: open("edit") }, t("app.edit")),
    ),
  );
}

/** What is open is in the address, so going back closes it. */
function Dialogs({ spots }: { readonly spots: readonly OwnSpot[] }) {
  const { query } = usePlace();
  const close = (name: string) => () => look({ [name]: undefined });
  const spotOf = (name: string) => spots.find(({ spot }) => spot.id === query[name]);
  const [sharing, withdrawing, editing] = [spotOf("share"), spotOf("withdraw"), spotOf("edit")];
  const window = spots
    .flatMap(({ windows }) => windows)
    .find((own) => own.window.id === query.change)?.window;
  return div(
    {},
    query.register !== undefined && part(SpotDialog, { close: close("register") }),
    editing && part(SpotDialog, { spot: editing.spot, close: close("edit") }),
    sharing && part(ShareDialog, { own: sharing, close: close("share") }),
    withdrawing && part(WithdrawDialog, { own: withdrawing, close: close("withdraw") }),
    window && part(WindowDialog, { window, close: close("change") }),
  );
}
