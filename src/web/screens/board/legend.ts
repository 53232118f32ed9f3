import { elements } from "../../elements.ts";
import { t } from "../../messages/translate.ts";

const { li, span, ul } = elements;

/** What the patterns of the bars mean. */
export const Legend = () =>
  ul(
    { class: "legend", "aria-hidden": "true" },
    (["free", "taken", "yours", "shared", "lent"] as const).map((state) =>
      li({ key: state }, span({ class: `swatch slot ${state}` }), t(`slot.${state}`)),
    ),
  );
