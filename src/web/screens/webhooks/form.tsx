import { plain, type Text, t } from "../../messages/translate.ts";
import { Field, FormButtons, formValues, Refusal, useAction } from "../../parts/form.tsx";
import { meaningOf, type Webhook } from "./api.ts";
import { formats, webhookTypes } from "./words.ts";

/** The settings that an administrator gives a webhook. */
export type Settings = Pick<Webhook, "url" | "types" | "format">;

interface WebhookFormProperties {
  readonly title: Text;
  readonly settings?: Settings;
  readonly submit: Text;
  readonly save: (settings: Settings) => Promise<void>;
}

/** The target, the events and the format. */
export function WebhookForm({ title, settings, submit, save }: WebhookFormProperties) {
  const action = useAction();
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = settingsTyped(event.currentTarget);
        action.run(() => save(typed));
      }}
    >
      <h2>{title}</h2>
      <Field
        name="url"
        label={t("webhooks.url")}
        hint={t("webhooks.urlHint")}
        invalid={action.invalid.includes("url")}
        control={(it) => (
          <input
            {...it}
            type="url"
            required
            maxLength={2_000}
            autocomplete="off"
            spellcheck={false}
            defaultValue={settings?.url ?? ""}
          />
        )}
      />
      <fieldset>
        <legend>{t("webhooks.what")}</legend>
        <div class="pairs">
          {webhookTypes.map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                name="types"
                value={type}
                defaultChecked={settings?.types.includes(type) === true}
              />
              <span>
                {plain(`${t(meaningOf(type))} `)}
                <code class="quiet small">{plain(type)}</code>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        name="format"
        label={t("webhooks.format")}
        invalid={action.invalid.includes("format")}
        control={(it) => (
          <select {...it}>
            {formats.map((format) => (
              <option key={format} value={format} selected={format === settings?.format}>
                {t(`webhooks.format.${format}`)}
              </option>
            ))}
          </select>
        )}
      />
      <Refusal action={action} />
      <FormButtons action={action} submit={submit} />
    </form>
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
