import { addresses } from "../addresses.ts";
import { person } from "../api/person.ts";
import { elements, part, plain } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { hrefOf, link, usePlace } from "../routing.ts";
import { signOut } from "../sign-in/session.ts";
import { useStore } from "../store.ts";
import { useBuilding } from "../time/building.ts";
import { icon } from "./icons.ts";
import { type Screen, screens } from "./screens.ts";
import { UnreadCount } from "./unread.ts";

const { button, div, header, nav, p, span, strong } = elements;

const MENU = "menu";

/** The head of the page: where one can go. */
export function Navigation() {
  const { profile } = useStore(person) ?? {};
  const { name } = useBuilding();
  const isResident = profile?.is_approved === true;
  return header(
    { class: "head" },
    link({ href: addresses.board, class: "brand" }, name === "" ? t("app.name") : plain(name)),
    isResident && nav({ class: "tabs", "aria-label": t("app.main") }, screens.map(tab)),
    button(
      {
        type: "button",
        class: "quiet menu-button",
        popovertarget: MENU,
        "aria-label": t("app.menu"),
      },
      icon("person"),
    ),
    part(Menu, {}),
  );
}

function tab(screen: Screen) {
  const { tab } = screen;
  return tab && part(Tab, { key: screen.address, screen, tab });
}

interface TabProperties {
  readonly screen: Screen;
  readonly tab: NonNullable<Screen["tab"]>;
}

function Tab({ screen, tab }: TabProperties) {
  const isHere = usePlace().address === screen.address;
  return link(
    { href: screen.address, class: "tab", "aria-current": isHere ? "page" : undefined },
    icon(tab.icon),
    span({}, t(tab.name)),
    screen.address === addresses.inbox && part(UnreadCount, {}),
  );
}

/** What is needed less often. A popover closes by itself, and is above everything else. */
function Menu() {
  const { profile } = useStore(person) ?? {};
  const close = () => document.getElementById(MENU)?.hidePopover();
  const entry = ({ address, title }: Screen) =>
    link({ key: address, href: hrefOf(address), class: "entry" }, t(title));
  const others = screens.filter((screen) => screen.tab === undefined);
  const forAdministrators = others.filter((screen) => screen.for === "administrator");
  return div(
    { id: MENU, class: "menu", popover: "auto", onClick: close },
    profile &&
      div(
        { class: "who" },
        strong({}, plain(profile.full_name ?? profile.email)),
        p({ class: "quiet" }, t("account.apartment", { number: profile.apartment_number })),
        profile.is_admin && p({ class: "quiet" }, t("account.administrator")),
      ),
    nav(
      { "aria-label": t("app.menu") },
      others.filter((screen) => screen.for !== "administrator").map(entry),
    ),
    profile?.is_admin === true &&
      forAdministrators.length > 0 &&
      nav({ "aria-label": t("app.administration") }, forAdministrators.map(entry)),
    button({ type: "button", class: "entry", onClick: () => signOut() }, t("account.signOut")),
  );
}
