import { useState } from "preact/hooks";
import type { ValueOf } from "../../../contract/fields.ts";
import type * as contract from "../../../contract/keys.ts";
import { postWithoutKey, remove } from "../../api/client.ts";
import { list } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Entry, lastUse } from "../../parts/administration/list.tsx";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { AddButton, Button } from "../../parts/controls.tsx";
import { DangerZone } from "../../parts/danger-zone.tsx";
import { Check, TextField } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, Actions, formValues } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { addDays, dateOf, iso, startOfDay, timeZone } from "../../time/zone.ts";
import { mayLeave } from "../../unsaved.ts";
import { scopes } from "./words.ts";

type Key = ValueOf<typeof contract.Key>;
type NewKey = Key & { readonly secret: string };

const allKeys = list<Key>("/admin/keys", ["keys"]);

export function Keys() {
  const isAdding = useRoute().query.add !== undefined;
  // Its secret is shown until the screen is left.
  const [made, setMade] = useState<NewKey>();
  const showAll = () => mayLeave() && updateQuery({ add: undefined });
  const add = async (form: HTMLFormElement) => {
    const { key } = await postWithoutKey<{ readonly key: NewKey }>("/admin/keys", keyTyped(form));
    setMade(key);
    updateQuery({ add: undefined }, { replace: true });
    toast(t("keys.added"));
  };
  if (isAdding)
    return (
      <div class="stack">
        <div class="actions no-print">
          <Button onClick={showAll} text="keys.all" />
        </div>
        <KeyForm add={add} />
      </div>
    );
  return (
    <div class="stack">
      <p class="quiet">{t("keys.intro")}</p>
      {made && (
        <section class="card stack" aria-labelledby="made">
          <h2 id="made">{plain(made.name)}</h2>
          <ShownOnce
            name="secret"
            label="webhooks.secret"
            hint="keys.secretHint"
            value={made.secret}
            copied="webhooks.copied"
          />
        </section>
      )}
      <All />
    </div>
  );
}

function All() {
  const people = usePeople();
  const add = <AddButton opens="add" text="keys.add" class="main-action" />;
  return whenRead(useReading(allKeys), (keys) =>
    keys.length === 0 ? (
      <Empty title="keys.none" text="keys.noneText" actions={add} />
    ) : (
      <>
        <div class="actions no-print">{add}</div>
        <ul class="entries">
          {keys.map((key) => (
            <Line key={key.id} line={key} maker={describePerson(people, key.maker_id)} />
          ))}
        </ul>
      </>
    ),
  );
}

function Line({ line, maker }: { readonly line: Key; readonly maker: string }) {
  const { id, name, expires_at: end, last_used_at: used } = line;
  const withdraw = async () => {
    await remove(`/admin/keys/${id}`);
    toast(t("keys.deleted", { name }));
  };
  const hasEnded = Date.parse(end) <= now();
  return (
    <Entry
      name={name}
      badges={hasEnded && <span class="badge alarm">{t("keys.ended")}</span>}
      about={[
        ...line.scopes.map((scope) => t(`keys.scope.${scope}`)),
        t("keys.until", { date: formatted("date", Date.parse(end) - 1) }),
        t("keys.maker", { name: maker }),
        lastUse(used),
      ]}
    >
      <DangerZone title="keys.delete">
        <p>{t("keys.deleteText")}</p>
        <Actions>
          <ActionButton act={withdraw} class="danger" text="keys.deleteNow" />
        </Actions>
      </DangerZone>
    </Entry>
  );
}

const KeyForm = ({ add }: { readonly add: (form: HTMLFormElement) => Promise<void> }) => {
  const today = dateOf(now(), timeZone());
  return (
    <ActionForm class="card stack" act={add} submit="keys.addNow">
      <h2>{t("keys.add")}</h2>
      <TextField
        name="name"
        label="building.name"
        hint="keys.nameHint"
        required
        autocomplete="off"
      />
      <fieldset>
        <legend>{t("keys.what")}</legend>
        {scopes.map((scope) => (
          <Check key={scope} name="scopes" value={scope} checked={false}>
            {t(`keys.scope.${scope}`)}
          </Check>
        ))}
      </fieldset>
      <TextField
        name="expires_at"
        label="share.lastDay"
        type="date"
        required
        value={addDays(today, 365)}
        min={today}
      />
    </ActionForm>
  );
};

/** A key is good for the whole of its last day. */
function keyTyped(form: HTMLFormElement): object {
  const { name, expires_at: day = "" } = formValues(form);
  return {
    name,
    scopes: new FormData(form).getAll("scopes"),
    expires_at: iso(startOfDay(addDays(day, 1), timeZone())),
  };
}
