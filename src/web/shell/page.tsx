import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Address, addresses } from "../../addresses.ts";
import { buildingOfApi, useBuilding } from "../api/building.ts";
import { connection } from "../api/connection.ts";
import { stale } from "../api/live.ts";
import { loadPerson, person } from "../api/person.ts";
import { ApiProblem } from "../api/problem.ts";
import { useReading } from "../api/reading.ts";
import type { Profile as ProfileOfApi } from "../api/resources.ts";
import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";
import { Button, Link } from "../parts/controls.tsx";
import { Boundary, lazy, lazyEffect, withTexts } from "../parts/lazy.tsx";
import { paint } from "../parts/paint.ts";
import { Empty, explain, Failed, Loading, whenRead } from "../parts/states.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { beginAnew, useRoute } from "../routing.ts";
import { session } from "../sign-in/session.ts";
import { useStore } from "../store.ts";
import { useNow } from "../time/clock.ts";
import { formatNearMoment, zoneName } from "../time/format.ts";
import { now } from "../time/now.ts";
import { isOutdated } from "../version.ts";
import { Navigation } from "./navigation.tsx";
import { mayOpen, type Screen, screenAt } from "./screens.ts";
import { Welcome } from "./welcome.tsx";

export function Page() {
  const current = useStore(session);
  if (current.state === "starting") return <Loading />;
  if (current.state === "out") return <Welcome session={current} />;
  return <SignedIn />;
}

function SignedIn() {
  const known = useStore(person);
  const { address } = useRoute();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    loadPerson().catch(setError);
  };
  useLayoutEffect(load, []);
  if (known === undefined) {
    const waiting = error === undefined ? <Loading /> : <Failed error={error} retry={load} />;
    return <Titled screen={screenAt(address)}>{waiting}</Titled>;
  }
  return (
    <div class="page">
      <a class="skip" href="#content">
        {t("app.skip")}
      </a>
      <Navigation />
      <ConnectionBar />
      {known.profile?.is_approved ? <InBuilding /> : <Content />}
      <Toasts />
    </div>
  );
}

/**
 * Says that the page is offline, waits because of limits or a busy service, cannot read newer data,
 * or has a newer version.
 */
function ConnectionBar() {
  const { state, until = 0, isBusy = false } = useStore(connection);
  const { error } = useStore(stale) ?? {};
  return (
    <div class="connection" role="status">
      {state === "offline" && <div class="notice">{t("connection.offline")}</div>}
      {state === "waiting" && (
        <div class="notice" key={until}>
          <Countdown name={isBusy ? "connection.busy" : "connection.waiting"} until={until} />
        </div>
      )}
      {error instanceof ApiProblem && error.status === 429 && (
        <div class="notice">{explain(error)}</div>
      )}
      {useStore(isOutdated) && (
        <div class="notice">
          <span>{t("connection.outdated")}</span>
          <Button class="quiet" onClick={beginAnew} text="connection.load" />
        </div>
      )}
    </div>
  );
}

interface CountdownProperties {
  readonly name: "connection.busy" | "connection.waiting";
  readonly until: number;
}

/** Screen readers read it out once, not each second. */
function Countdown({ name, until }: CountdownProperties) {
  const [, redraw] = useState({});
  useEffect(() => {
    const timer = setInterval(() => redraw({}), 1_000);
    return () => clearInterval(timer);
  }, []);
  const count = Math.max(1, Math.ceil((until - performance.now()) / 1_000));
  return <span aria-live="off">{t(name, { count })}</span>;
}

/** Without this module, the page reads again each minute. */
const followNews = lazyEffect(async () => (await import("./news.ts")).followNews);

/** The page for residents. Its times are in the building's zone, so the building is read first. */
function InBuilding() {
  useEffect(followNews, []);
  const { colour } = useBuilding();
  useEffect(() => paint(colour), [colour]);
  const { address } = useRoute();
  const reading = useReading(buildingOfApi);
  if (reading.value === undefined) {
    return <Titled screen={screenAt(address)}>{whenRead(reading, () => null)}</Titled>;
  }
  return (
    <>
      <Content />
      <Foot />
      <Boundary>
        <DialogsOfClaims />
      </Boundary>
    </>
  );
}

const ChangeDialog = lazy(async () => (await import("../parts/claims/change.tsx")).ChangeDialog);

const ClaimDialog = lazy(async () => (await import("../screens/claim/dialog.tsx")).ClaimDialog);

const ReportDialog = lazy(
  async () => (await withTexts(import("../screens/spot/report.tsx"), "spot")).ReportDialog,
);

const SeriesDialog = lazy(async () => {
  const series = import("../screens/claims/series.tsx");
  return (await withTexts(series, "claims", "spots")).SeriesDialog;
});

function DialogsOfClaims() {
  const { window, claimed, changing, report, series } = useRoute().query;
  return (
    <>
      {window || claimed ? <ClaimDialog /> : null}
      {changing ? <ChangeDialog /> : null}
      {report ? <ReportDialog /> : null}
      {series ? <SeriesDialog /> : null}
    </>
  );
}

function Content() {
  const { address } = useRoute();
  const { profile } = useStore(person) ?? {};
  const screen = shownAt(address, profile);
  return (
    <Titled screen={screen}>
      <Boundary key={address ?? ""}>{contentOf(screen, profile)}</Boundary>
    </Titled>
  );
}

function contentOf(screen: Screen | undefined, profile: ProfileOfApi | undefined) {
  if (screen === undefined) return <DeadEnd reason="error.unknownScreen" />;
  if (mayOpen(screen, profile)) return <screen.content key={screen.address} />;
  return <DeadEnd reason="error.forAdministrators" />;
}

function DeadEnd({ reason }: { readonly reason: MessageKey }) {
  const back = <Link href={addresses.now} class="button main-action" text="now.back" />;
  return <Empty title={reason} actions={back} />;
}

/** People who are not approved see the reason and the next step at each screen's address. */
function shownAt(address: Address | undefined, profile: ProfileOfApi | undefined) {
  const screen = screenAt(address);
  const isForThem = screen?.for === "anyone" || profile?.is_approved === true;
  return screen === undefined || isForThem ? screen : screenAt(addresses.profile);
}

function Foot() {
  const { time_zone: zone } = useBuilding();
  const shown = zone === "UTC" ? zone : `${zone} (${zoneName(now())})`;
  return (
    <footer class="foot">
      <p>{t("app.zone", { zone: shown })}</p>
    </footer>
  );
}

interface TitledProperties {
  readonly screen: Screen | undefined;
  readonly children: Child;
}

/** A screen with its title, even before its content is known. */
function Titled({ screen, children }: TitledProperties) {
  const { name = "" } = useRoute();
  const heading = useRef<HTMLHeadingElement>(null);
  const title = screen === undefined ? t("error.title") : t(screen.title, { name });
  const shown = useRef(title);
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
    // A screen reader continues at a new screen, but reads the first one from the top.
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main id="content" tabIndex={-1} class="content">
      <div class="beside title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <AsOf />
      </div>
      {children}
    </main>
  );
}

/** Shows the age of the data if newer data could not be read. */
function AsOf() {
  const now = useNow();
  const { readAt } = useStore(stale) ?? {};
  if (readAt === undefined) return null;
  return (
    <p class="as-of quiet" role="status">
      {t("app.asOf", { time: formatNearMoment(readAt, now) })}
    </p>
  );
}
