import { plain, t } from "../../../src/web/messages/translate.ts";

/** A text that is not a message cannot be translated: `npm run typecheck` fails where it compiles. */
export const accepted = (
  <p title={t("app.name")}>
    {t("app.name")}
    {plain("A-1")}
  </p>
);

export const refused = [
  // @ts-expect-error
  <p key="text">Parking</p>,
  // @ts-expect-error
  <p key="beside another">{t("app.name")}: </p>,
  // @ts-expect-error
  <p key="string">{"Parking"}</p>,
  // @ts-expect-error
  <p key="number">{1}</p>,
  // @ts-expect-error
  <p key="attribute" title="Parking" />,
];
