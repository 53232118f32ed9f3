import type { ApiProblem } from "../api/problem.ts";
import { hasMessage, plain, type Text, t } from "../messages/translate.ts";
import { formatExactLength, formatted } from "../time/format.ts";
import { now } from "../time/now.ts";
import { MINUTE } from "../time/zone.ts";

/** Longer than a limit of a minute, for which the page waits by itself. */
const LONG = 90_000;

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const FIELD = /[a-z]+(_[a-z]+)+/g;

/**
 * The reason of a refusal. A rule has it in the language of the page, or else in English. English
 * messages contain moments and fields as the API names them: "start_time must be in the future".
 */
export function refusalText({ status, code, message, again }: ApiProblem): Text {
  if (status === 429 && again - now() > LONG)
    return t("error.tooMuchUntil", { moment: formatted("moment", again) });
  const key = `refusal.${code}`;
  if (hasMessage(key)) return t(key);
  return plain(
    message
      .replace(MOMENT, (moment) => formatted("moment", moment))
      .replace(FIELD, (name) => name.replaceAll("_", " "))
      .replace(/^./, (letter) => letter.toUpperCase()),
  );
}

/** The service's complaints about a field (src/rest/validation.ts), and the texts for people. */
const forms = [
  [/^is required/, "typed.missing"],
  [/^must NOT have more than (\d+) characters/, "typed.longest"],
  [/^must NOT have fewer than (\d+) characters/, "typed.shortest"],
  [/^must be >= (\d+)/, "typed.least"],
  [/^must be <= (\d+)/, "typed.most"],
  [/^/, "typed.wrong"],
] as const;

/** What is wrong with fields, by their labels on the page. Fields without a label are not named. */
export function typedText(details: Readonly<Record<string, string>>): Text | undefined {
  const sentences = Object.entries(details).flatMap(([name, complaint]) => {
    const control = document.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
    const field = control?.labels?.[0]?.textContent;
    return field ? [fieldText(field, complaint, name.endsWith("_minutes"))] : [];
  });
  return sentences.length > 0 ? plain(sentences.join(" ")) : undefined;
}

/** @param isLength whether the number in the complaint is of minutes */
export function fieldText(field: string, complaint: string, isLength = false): Text {
  for (const [form, key] of forms) {
    const found = form.exec(complaint);
    const [, number = ""] = found ?? [];
    const count = isLength && Number(number) ? formatExactLength(Number(number) * MINUTE) : number;
    if (found && hasMessage(key)) return t(key, { field, count });
  }
  return plain(`${field}: ${complaint}`);
}
