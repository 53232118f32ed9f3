import { elements, part, plain } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { type Session, signIn } from "../sign-in/session.ts";

const { button, div, h1, main, p } = elements;

type Out = Extract<Session, { readonly state: "out" }>;

/** For people who are not signed in. */
export function Welcome({ session }: { readonly session: Session }) {
  return main(
    { class: "welcome" },
    div(
      { class: "card" },
      h1({}, t("welcome.title")),
      p({}, t("welcome.text")),
      session.state === "out" && part(Failure, session),
      isSecureContext
        ? button(
            { type: "button", class: "main-action", onClick: () => signIn() },
            t("welcome.signIn"),
          )
        : p({ role: "alert", class: "alarm" }, t("error.insecure")),
    ),
  );
}

/** Why signing in did not work, in plain words, and below them the cause for those who can mend it. */
function Failure({ failure, waits }: Out) {
  if (failure === undefined) return null;
  return div(
    { role: "alert" },
    p({ class: "alarm" }, t(failure.text)),
    waits === true && p({}, t("signIn.waits")),
    failure.message !== "" && p({ class: "quiet" }, plain(failure.message)),
  );
}
