import { useEffect } from "preact/hooks";
import { plain, t } from "../messages/translate.ts";
import { LanguageChoice } from "../parts/language-choice.tsx";
import { Mark } from "../parts/mark.tsx";
import { useRoute } from "../routing.ts";
import { greeting } from "../settings.ts";
import { type Session, signIn } from "../sign-in/session.ts";
import { Picture } from "./picture.tsx";

type Out = Extract<Session, { readonly state: "out" }>;

/** For people who are not signed in. */
export function Welcome({ session }: { readonly session: Session }) {
  // People who scan the code on a sign come here first.
  const { name: spot } = useRoute();
  const name = greeting.name ?? t("app.name");
  useEffect(() => {
    document.title = `${t("welcome.signIn")} · ${name}`;
  }, []);
  return (
    <div class="welcome">
      <header class="welcome-head">
        <p class="brand">
          <Mark mark={greeting.mark} name={name} />
          <span>{plain(name)}</span>
        </p>
        <LanguageChoice />
      </header>
      <main class="welcome-body">
        <div class="welcome-text">
          <h1>{t("welcome.title")}</h1>
          <p>{t("welcome.text")}</p>
          {spot !== undefined && (
            <p>
              <strong>{t("welcome.spot", { name: spot })}</strong>
            </p>
          )}
          {session.state === "out" && <Failure {...session} />}
          {isSecureContext ? (
            <button type="button" class="main-action" onClick={() => signIn()}>
              {t("welcome.signIn")}
            </button>
          ) : (
            <p role="alert" class="alarm">
              {t("error.insecure")}
            </p>
          )}
          <ol class="welcome-steps quiet">
            <li>{t("welcome.find")}</li>
            <li>{t("welcome.claim")}</li>
            <li>{t("welcome.share")}</li>
          </ol>
        </div>
        <Picture />
      </main>
    </div>
  );
}

/** The reason why signing in failed, in plain words, and the cause for people who can fix it. */
function Failure({ failure, waits }: Out) {
  if (failure === undefined) return null;
  return (
    <div role="alert">
      <p class="alarm">{t(failure.text)}</p>
      {waits === true && <p>{t("signIn.waits")}</p>}
      {failure.message !== "" && <p class="quiet">{plain(failure.message)}</p>}
    </div>
  );
}
