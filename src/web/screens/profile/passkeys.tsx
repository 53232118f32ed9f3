import { postWithoutKey, remove } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Entry, lastUse } from "../../parts/administration/list.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly is_backed_up: boolean;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** The service takes no more. */
const MOST = 10;

const passkeysOfApi = answer<{ readonly passkeys: readonly Passkey[] }>("/passkeys", ["passkeys"]);

/** The devices with which the person signs in without a mail. */
export const Passkeys = () =>
  whenRead(useReading(passkeysOfApi), ({ passkeys }) => (
    <section class="card stack" aria-labelledby="passkeys">
      <h2 id="passkeys">{t("passkeys.title")}</h2>
      <p>{t("passkeys.text")}</p>
      {passkeys.length > 0 && (
        <ul class="entries">
          {passkeys.map((one) => (
            <Line key={one.id} passkey={one} />
          ))}
        </ul>
      )}
      <Adding isFull={passkeys.length >= MOST} isFirst={passkeys.length === 0} />
    </section>
  ));

function Adding({ isFull, isFirst }: { readonly isFull: boolean; readonly isFirst: boolean }) {
  // Browsers that can make one but not read the options of the service are of 2024 or before.
  if (!globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON)
    return <p class="quiet">{t("passkeys.impossible")}</p>;
  if (isFull) return <p class="quiet">{t("passkeys.full")}</p>;
  return (
    <div class="actions">
      <ActionButton act={add} class={isFirst ? "main-action" : undefined} text="passkeys.add" />
    </div>
  );
}

interface NewPasskey {
  readonly options: PublicKeyCredentialCreationOptionsJSON;
}

async function add(): Promise<void> {
  const { options } = await postWithoutKey<NewPasskey>("/passkeys/options", {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError") toast(t("passkeys.known"));
    // The browser said what was wrong, or the person changed their mind.
    else if (name !== "NotAllowedError") throw error;
    return null;
  });
  if (credential === null) return;
  await postWithoutKey("/passkeys", { name: nameOfDevice(), credential });
  toast(t("passkeys.added"));
}

/** So that nobody needs to think of a name. */
const nameOfDevice = (): string =>
  /iPhone|iPad|Android|Mac|Windows|CrOS|Linux/.exec(navigator.userAgent)?.[0] ??
  t("passkeys.device");

function Line({ passkey }: { readonly passkey: Passkey }) {
  const { id, name, last_used_at: used, created_at: created } = passkey;
  const end = async () => {
    await remove(`/passkeys/${id}`);
    toast(t("passkeys.removed"));
  };
  return (
    <Entry
      name={name}
      about={[t("passkeys.since", { date: formatted("date", created) }), lastUse(used)]}
      actions={
        <ActionButton
          act={end}
          class="danger"
          aria-label={t("passkeys.removeOne", { name: plain(name) })}
          text="passkeys.remove"
        />
      }
    />
  );
}
