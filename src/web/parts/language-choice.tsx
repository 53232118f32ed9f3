import { languagesOfPage, speak } from "../messages/choice.ts";
import { language, t } from "../messages/translate.ts";

export const LanguageChoice = () => (
  <div class="choice" role="group" aria-label={t("app.language")}>
    {languagesOfPage.map(([one, name]) => (
      <button
        key={one}
        type="button"
        lang={one}
        aria-pressed={one === language ? "true" : "false"}
        onClick={() => speak(one)}
      >
        {name}
      </button>
    ))}
  </div>
);
