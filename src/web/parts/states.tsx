import { refreshShown } from "../api/live.ts";
import { ApiProblem, Unreachable } from "../api/problem.ts";
import type { Reading } from "../api/reading.ts";
import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { type Text, t } from "../messages/translate.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { Button } from "./controls.tsx";
import { refusalText } from "./refusal-text.ts";

export function explain(error: unknown): Text {
  if (error instanceof Unreachable) return t("error.unreachable");
  if (error instanceof SignInFailure) return t(error.text);
  const isRefusal = error instanceof ApiProblem && (error.status < 500 || error.status === 503);
  return isRefusal ? refusalText(error) : t("error.unexpected");
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span>{t("app.loading")}</span>
    </div>
  );
}

interface FailedProperties {
  readonly error: unknown;
  /** Without this, everything that is shown is read again. */
  readonly retry?: () => void;
}

export function Failed({ error, retry = refreshShown }: FailedProperties) {
  return (
    <div class="failed" role="alert">
      <p>{explain(error)}</p>
      <Button onClick={retry} text="app.retry" />
    </div>
  );
}

/** Says that there is nothing yet, and what to do. */
export function Empty(properties: {
  readonly title: MessageKey;
  readonly text?: MessageKey;
  readonly values?: Readonly<Record<string, string>>;
  readonly actions?: Child;
}) {
  const { title, text, values, actions } = properties;
  return (
    <div class="empty">
      <p class="empty-title">{t(title, values)}</p>
      {text && <p>{t(text)}</p>}
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** Shows what was read. Until then it shows that it loads, or why it failed. */
export function whenRead<Value>(
  { value, error }: Reading<Value>,
  show: (value: Value) => Child,
): Child {
  if (value !== undefined) return show(value);
  return error === undefined ? <Loading /> : <Failed error={error} />;
}
