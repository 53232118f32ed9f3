import type { JSX } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";

export type ButtonProperties = JSX.IntrinsicElements["button"] & { readonly text?: MessageKey };

/** A button that acts at once. One that takes a while is an ActionButton (./form.tsx). */
export const Button = ({ text, children, ...attributes }: ButtonProperties) => (
  <button type="button" {...attributes}>
    {text ? t(text) : children}
  </button>
);
