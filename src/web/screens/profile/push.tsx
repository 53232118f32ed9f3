import { useEffect, useState } from "preact/hooks";
import { changed } from "../../api/live.ts";
import { type Source, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { ActionButton, ActionForm, Actions } from "../../parts/form.tsx";
import {
  type Ability,
  abilityOfBrowser,
  end,
  endpointHere,
  type Pushes,
  readPushes,
  turnOff,
  turnOn,
} from "../../parts/push.ts";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../unsaved.ts";
import { useKinds } from "./kinds.tsx";
import { type Preferences, savePreferences } from "./preferences.ts";

interface Properties {
  readonly preferences: Preferences;
}

interface State extends Pushes {
  /** Undefined if this browser is not subscribed. */
  readonly here: string | undefined;
}

const pushes: Source<State> = {
  key: "push",
  topics: ["push-subscriptions"],
  read: async () => ({ ...(await readPushes()), here: await endpointHere() }),
};

/** Whether this device tells the person at once what happens, also while the page is closed. */
export function Push({ preferences }: Properties) {
  const state = useReading(pushes).value;
  // Without a service that sends pushes, there is nothing to choose.
  if (state?.key === undefined) return null;
  return <Choice state={state} pushKey={state.key} preferences={preferences} />;
}

interface ChoiceProperties extends Properties {
  readonly state: State;
  readonly pushKey: string;
}

function Choice({ state: { devices, here }, pushKey, preferences }: ChoiceProperties) {
  const [ability, setAbility] = useState(abilityOfBrowser);
  useEffect(() => {
    const look = () => setAbility(abilityOfBrowser());
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const own = devices.find(({ endpoint }) => endpoint === here);
  const others = devices.filter((it) => it !== own);
  const begin = async () => {
    const isAllowed = await turnOn(pushKey);
    setAbility(abilityOfBrowser());
    if (!isAllowed) return;
    toast(t("push.begun"));
  };
  const stop = async () => {
    await turnOff();
    // Also without a request: the service may not know this device.
    changed("push-subscriptions");
    toast(t("push.ended"));
  };
  const stopOthers = async () => {
    for (const { id } of others) await end(id);
    toast(t("push.othersEnded"));
  };
  return (
    <div class="card stack">
      <section class="stack" aria-labelledby="push">
        <h2 id="push">{t("push.title")}</h2>
        <p>{t("push.text")}</p>
        {own ? <p>{t("push.isOn")}</p> : <Obstacle ability={ability} />}
        {others.length > 0 && <p class="quiet">{t("push.others", { count: others.length })}</p>}
        <Actions>
          {own === undefined && ability === "possible" && (
            <ActionButton act={begin} class="main-action" text="push.begin" />
          )}
          {own && <ActionButton act={stop} class="danger" text="push.end" />}
          {others.length > 0 && <ActionButton act={stopOthers} text="push.endOthers" />}
        </Actions>
      </section>
      {devices.length > 0 && <Which preferences={preferences} />}
    </div>
  );
}

const Obstacle = ({ ability }: { readonly ability: Ability }) =>
  ability === "possible" ? null : <p>{t(`push.${ability}`)}</p>;

function Which({ preferences }: Properties) {
  const kinds = useKinds("push", "push.which", preferences.push);
  const save = async (form: HTMLFormElement) => {
    const saved = await savePreferences(touchedOf(form, { push: kinds.typed(form) }));
    kinds.saved(saved.push);
    toast(t("push.saved"));
  };
  return (
    <ActionForm class="stack" aria-labelledby="push" act={save} submit="push.save">
      {kinds.fields}
    </ActionForm>
  );
}
