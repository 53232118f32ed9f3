import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import { Check, SelectField, TextField } from "../../parts/fields.tsx";
import { ActionForm, formValues } from "../../parts/form.tsx";
import type { Webhook } from "./api.ts";
import { formats, webhookTypes } from "./words.ts";

export type Settings = Pick<Webhook, "url" | "types" | "format">;

interface WebhookFormProperties {
  readonly title: MessageKey;
  readonly settings?: Settings;
  readonly submit: MessageKey;
  readonly save: (settings: Settings) => Promise<void>;
}

export function WebhookForm({ title, settings, submit, save }: WebhookFormProperties) {
  return (
    <ActionForm class="card form" act={(form) => save(settingsTyped(form))} submit={submit}>
      <h2>{t(title)}</h2>
      <TextField
        name="url"
        label="webhooks.url"
        hint="webhooks.urlHint"
        type="url"
        required
        autocomplete="off"
        spellcheck={false}
        value={settings?.url}
      />
      <fieldset>
        <legend>{t("webhooks.what")}</legend>
        <div class="pairs">
          {webhookTypes.map((type) => (
            <Check
              key={type}
              name="types"
              value={type}
              checked={settings?.types.includes(type) === true}
            >
              <span>
                {plain(`${t(`event.${type}`)} `)}
                <code class="quiet small">{plain(type)}</code>
              </span>
            </Check>
          ))}
        </div>
      </fieldset>
      <SelectField
        name="format"
        label="webhooks.format"
        value={settings?.format ?? "event"}
        options={formats.map((format) => [format, t(`webhooks.format.${format}`)] as const)}
      />
    </ActionForm>
  );
}

function settingsTyped(form: HTMLFormElement): Settings {
  const { url = "", format } = formValues(form);
  const checked = new FormData(form).getAll("types");
  return {
    url,
    types: webhookTypes.filter((type) => checked.includes(type)),
    format: formats.find((it) => it === format) ?? "event",
  };
}
