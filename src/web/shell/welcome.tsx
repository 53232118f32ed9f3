import { plain, t } from "../messages/translate.ts";
import { type Session, signIn } from "../sign-in/session.ts";

type Out = Extract<Session, { readonly state: "out" }>;

/** For people who are not signed in. */
export function Welcome({ session }: { readonly session: Session }) {
  return (
    <main class="welcome">
      <div class="card">
        <h1>{t("welcome.title")}</h1>
        <p>{t("welcome.text")}</p>
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
      </div>
    </main>
  );
}

/** Why signing in did not work, in plain words, and below them the cause for those who can mend it. */
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
