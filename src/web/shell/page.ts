import { useEffect, useRef, useState } from "preact/hooks";
import { loadPerson, person } from "../api/person.ts";
import { useReading } from "../api/reading.ts";
import { elements, part } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { Failed, Loading, whenRead } from "../parts/states.ts";
import { Toasts } from "../parts/toasts.ts";
import { usePlace } from "../routing.ts";
import { ClaimDialog } from "../screens/claim/dialog.ts";
import { Profile } from "../screens/profile/profile.ts";
import { session } from "../sign-in/session.ts";
import { useStore } from "../store.ts";
import { buildingOfApi, useBuilding } from "../time/building.ts";
import { zoneName } from "../time/format.ts";
import { ConnectionBar } from "./connection-bar.ts";
import { Navigation } from "./navigation.ts";
import { type Screen, screenAt } from "./screens.ts";
import { Welcome } from "./welcome.ts";

const { a, div, footer, h1, main, p } = elements;

/** The whole page. */
export function Page() {
  const current = useStore(session);
  if (current.state === "starting") return part(Loading, {});
  if (current.state === "out") return part(Welcome, { session: current });
  return part(SignedIn, {});
}

function SignedIn() {
  const known = useStore(person);
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    loadPerson().catch(setError);
  };
  useEffect(load, []);
  if (known === undefined) {
    return error === undefined ? part(Loading, {}) : part(Failed, { error, retry: load });
  }
  return div(
    { class: "page" },
    a({ class: "skip", href: "#content" }, t("app.skip")),
    part(Navigation, {}),
    part(ConnectionBar, {}),
    known.profile?.is_approved ? part(InBuilding, {}) : part(Content, {}),
    part(Toasts, {}),
  );
}

/** What residents see. Its times are in the zone of the building, so that is read first. */
function InBuilding() {
  return whenRead(useReading(buildingOfApi), () => [
    part(Content, { key: "content" }),
    part(Foot, { key: "foot" }),
    part(ClaimDialog, { key: "claim" }),
  ]);
}

function Content() {
  const { address } = usePlace();
  const { profile } = useStore(person) ?? {};
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  const screen = screenAt(address);
  const title = screen === undefined ? t("error.title") : t(screen.title);
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
    // A screen reader reads on from the new screen, but the first one is read from its top.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [title]);
  return main(
    { id: "content", tabIndex: -1, class: "content" },
    h1({ ref: heading, tabIndex: -1 }, title),
    contentOf(screen, profile),
  );
}

function contentOf(screen: Screen | undefined, profile?: Parameters<typeof mayOpen>[1]) {
  if (screen === undefined) return p({}, t("error.unknownScreen"));
  if (mayOpen(screen, profile)) return div({ key: screen.address }, screen.show());
  // Whoever is not approved yet sees what happens next, at every address.
  if (profile?.is_approved !== true) return part(Profile, {});
  return p({}, t("error.forAdministrators"));
}

function mayOpen(
  screen: Screen,
  profile: { readonly is_approved: boolean; readonly is_admin: boolean } | undefined,
): boolean {
  if (screen.for === "anyone") return true;
  if (profile?.is_approved !== true) return false;
  return screen.for === "resident" || profile.is_admin;
}

function Foot() {
  const { time_zone: zone } = useBuilding();
  const shown = zone === "UTC" ? zone : `${zone} (${zoneName(Date.now())})`;
  return footer({ class: "foot" }, p({}, t("app.zone", { zone: shown })));
}
