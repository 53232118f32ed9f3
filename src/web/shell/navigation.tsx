import { addresses } from "../../addresses.ts";
import { useBuilding, useIsNew } from "../api/building.ts";
import { unread } from "../api/lists.ts";
import { person } from "../api/person.ts";
import { useReading } from "../api/reading.ts";
import { isErased } from "../api/resources.ts";
import { waitingCount } from "../api/waiting.ts";
import type { MessageKey } from "../messages/en.ts";
import { plain, t } from "../messages/translate.ts";
import { Button, Icon, LanguageChoice, Link, Mark } from "../parts/controls.tsx";
import { hrefOf, useRoute } from "../routing.ts";
import { signOut } from "../sign-in/session.ts";
import { PUSH_KEY, shared } from "../storage.ts";
import { useStore } from "../store.ts";
import { mayOpen, type Screen, screens } from "./screens.ts";

const MENU = "menu";
const ADMINISTRATION = "administration";

export function Navigation() {
  const { profile } = useStore(person) ?? {};
  const { name, mark } = useBuilding();
  const isResident = profile?.is_approved === true;
  return (
    <header class="head">
      <Link href={addresses.now} class="brand">
        <Mark mark={mark} name={name} />
        <span>{name === "" ? t("app.name") : plain(name)}</span>
      </Link>
      {isResident && (
        <nav class="tabs" aria-label={t("app.main")}>
          {screens.map(tab)}
        </nav>
      )}
      <Button class="quiet menu-button" popovertarget={MENU}>
        <Icon name="person" />
        <span class="unseen">{t("app.menu")}</span>
        {profile?.is_admin === true && isResident && <WaitingCount />}
      </Button>
      <Menu />
    </header>
  );
}

function tab(screen: Screen) {
  const { tab } = screen;
  return tab && <Tab key={screen.address} screen={screen} tab={tab} />;
}

interface TabProperties {
  readonly screen: Screen;
  readonly tab: NonNullable<Screen["tab"]>;
}

function Tab({ screen, tab }: TabProperties) {
  const isHere = useRoute().address === screen.address;
  return (
    <Link href={screen.address} class="tab" aria-current={isHere ? "page" : undefined}>
      <Icon name={tab.icon} />
      <span>{t(tab.name)}</span>
      {screen.address === addresses.inbox && <UnreadCount />}
    </Link>
  );
}

const UnreadCount = () => (
  <Count count={useReading(unread).value?.total ?? 0} meaning="inbox.unread" />
);

const WaitingCount = () => (
  <Count
    count={(useReading(waitingCount).value ?? 0) + Number(useIsNew())}
    meaning="account.tasks"
  />
);

function Count({ count, meaning }: { readonly count: number; readonly meaning: MessageKey }) {
  if (count === 0) return null;
  const shown = count > 99 ? "99+" : String(count);
  return (
    <span class="count">
      <span aria-hidden="true">{plain(shown)}</span>
      <span class="unseen">{t(meaning, { count })}</span>
    </span>
  );
}

/** Links that are needed less often. A popover closes by itself, and is above everything else. */
function Menu() {
  const { profile } = useStore(person) ?? {};
  const here = useRoute().address;
  const close = () => document.getElementById(MENU)?.hidePopover();
  const entry = ({ address, title }: Screen) => (
    <Link
      key={address}
      href={hrefOf(address)}
      class="entry"
      aria-current={address === here ? "page" : undefined}
    >
      {t(title)}
      {address === addresses.waiting && <WaitingCount />}
    </Link>
  );
  const others = screens.filter(({ tab, isInNoMenu }) => tab === undefined && !isInNoMenu);
  const isForStaff = ({ for: who }: Screen) => who === "staff" || who === "administrator";
  const forStaff = others.filter((screen) => isForStaff(screen) && mayOpen(screen, profile));
  return (
    <div id={MENU} class="menu" popover="auto" onClick={close}>
      {profile && !isErased(profile) && (
        <div class="who">
          <strong>{plain(profile.full_name ?? profile.email)}</strong>
          <p class="quiet">{t("account.apartment", { number: profile.apartment_number })}</p>
          {profile.is_admin && <p class="quiet">{t("account.administrator")}</p>}
          {profile.is_concierge && <p class="quiet">{t("account.concierge")}</p>}
        </div>
      )}
      <nav aria-label={t("app.menu")}>
        {others.filter((screen) => !isForStaff(screen)).map(entry)}
      </nav>
      {forStaff.length > 0 && (
        <nav aria-labelledby={ADMINISTRATION}>
          <p id={ADMINISTRATION} class="menu-title quiet small">
            {t("app.administration")}
          </p>
          {forStaff.map(entry)}
        </nav>
      )}
      <div class="menu-language">
        <LanguageChoice />
      </div>
      <Button class="entry" onClick={() => signOut(endPushes)} text="account.signOut" />
    </div>
  );
}

const endPushes = async () =>
  shared.read(PUSH_KEY) && (await import("../parts/push.ts")).leaveDevice();
