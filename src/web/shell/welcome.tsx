import { useEffect } from "preact/hooks";
import { plain, t } from "../messages/translate.ts";
import { Button, LanguageChoice, Mark } from "../parts/controls.tsx";
import { useRoute } from "../routing.ts";
import { greeting } from "../settings.ts";
import { type Session, signIn } from "../sign-in/session.ts";

type Out = Extract<Session, { readonly state: "out" }>;

export function Welcome({ session }: { readonly session: Session }) {
  // People who scan the code on a sign come here first.
  const { name: spot } = useRoute();
  const name = greeting.name ?? t("app.name");
  useEffect(() => {
    document.title = `${t("welcome.signIn")} · ${name}`;
  }, []);
  return (
    <div class="welcome">
      <header class="beside welcome-head">
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
            <Button class="main-action" onClick={() => signIn()} text="welcome.signIn" />
          ) : (
            <p role="alert" class="alarm">
              {t("error.insecure")}
            </p>
          )}
          <ol class="steps">
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

/** A car that drives into a free bay between two taken ones. Only decoration. */
const Picture = () => (
  <svg class="picture" viewBox="0 0 360 272" aria-hidden="true" fill="none">
    <rect width="360" height="272" rx="20" fill="var(--paper)" stroke="var(--line)" />
    <g stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
      <path d="M22 118V24M128 118V24M232 118V24M338 118V24" stroke="var(--line)" />
      <path d="M180 160v-26m-9 9l9-9 9 9" stroke="var(--accent)" />
    </g>
    <g stroke="var(--accent)">
      <rect
        x="139"
        y="26"
        width="82"
        height="92"
        rx="12"
        fill="var(--accent-soft)"
        stroke-width="2.5"
        stroke-dasharray="7 6"
      />
      <path
        d="M171 94V50h13a14 14 0 0 1 0 28h-13"
        stroke-width="7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </g>
    <Car x={47} y={30} colour="var(--line)" />
    <Car x={257} y={30} colour="var(--line)" />
    <Car x={152} y={168} colour="var(--accent)" />
  </svg>
);

interface CarProperties {
  readonly x: number;
  readonly y: number;
  readonly colour: string;
}

const Car = ({ x, y, colour }: CarProperties) => (
  <g transform={`translate(${x} ${y})`}>
    <rect width="56" height="84" rx="16" fill={colour} />
    <path
      d="M9 30q19-14 38 0l-5 11H14zM13 66h30l3 8q-18 7-36 0z"
      fill="var(--paper)"
      opacity="0.75"
    />
  </g>
);
