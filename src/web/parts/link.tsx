import type { JSX } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";
import { navigate } from "../routing.ts";

type LinkProperties = JSX.IntrinsicElements["a"] & {
  readonly href: string;
  readonly text?: MessageKey;
};

/** A link within the page. With a modifier key it opens a tab, like any link. */
export const Link = ({ text, children, ...attributes }: LinkProperties) => (
  <a
    {...attributes}
    onClick={(event) => {
      attributes.onClick?.(event);
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!isPlain || event.button !== 0) return;
      event.preventDefault();
      navigate(attributes.href);
    }}
  >
    {text ? t(text) : children}
  </a>
);
