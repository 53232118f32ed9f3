import { languageOfPage, languagesOfPage, speak, t } from "../messages/translate.ts";

/** In which language the page speaks. Each is named as those call it who speak it. */
export const LanguageChoice = () => (
  <div class="choice" role="group" aria-label={t("app.language")}>
    {languagesOfPage.map(([language, name]) => (
      <button
        key={language}
        type="button"
        lang={language}
        aria-pressed={language === languageOfPage() ? "true" : "false"}
        onClick={() => speak(language)}
      >
        {name}
      </button>
    ))}
  </div>
);
