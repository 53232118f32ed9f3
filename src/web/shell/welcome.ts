import { elements } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { type Session, signIn } from "../sign-in/session.ts";

const { button, div, h1, main, p } = elements;

/** For people who are not signed in. */
export function Welcome({ session }: { readonly session: Session }) {
  const reason = session.state === "out" ? session.reason : undefined;
  return main(
    { class: "welcome" },
    div(
      { class: "card" },
      h1({}, t("welcome.title")),
      p({}, t("welcome.text")),
      reason !== undefined && p({ role: "alert", class: "alarm" }, t("welcome.failed", { reason })),
      isSecureContext
        ? button(
            { type: "button", class: "main-action", onClick: () => signIn() },
            t("welcome.signIn"),
          )
        : p({ role: "alert", class: "alarm" }, t("error.insecure")),
    ),
  );
}
