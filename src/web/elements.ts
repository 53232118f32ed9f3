import { type ComponentType, createElement, type JSX, type VNode } from "preact";

declare const translated: unique symbol;

/**
 * What people may read. A string of the program is none: texts come from the message files by `t`,
 * and what people wrote by `plain`. So the compiler finds a text that cannot be translated.
 */
export type Text = string & { readonly [translated]: true };

/** What somebody wrote, such as a name; shown as it is in every language. */
export const plain = (written: string): Text => written as Text;

export type Child = VNode | Text | false | null | undefined | readonly Child[];

type TextAttribute = "title" | "placeholder" | "alt" | "aria-label" | "aria-roledescription";

// biome-ignore lint/suspicious/noExplicitAny: a part may have any properties
export type Part = VNode<any>;

/** Of each member of a union by itself: the attributes of an input depend on its type. */
type Without<Type, Names extends string> = Type extends unknown ? Omit<Type, Names> : never;

type Attributes<Tag extends keyof JSX.IntrinsicElements> = Without<
  JSX.IntrinsicElements[Tag],
  "children" | "dangerouslySetInnerHTML" | TextAttribute
> & { readonly [Name in TextAttribute]?: Text | undefined } & {
  readonly [Name in `data-${string}`]?: string;
};

type Elements = {
  readonly [Tag in keyof JSX.IntrinsicElements]: (
    attributes: Attributes<Tag>,
    ...children: readonly Child[]
  ) => VNode;
};

/** `const { p, button } = elements;` and then `button({ onClick }, t("claim"))`. */
export const elements = new Proxy({} as Elements, {
  get:
    (_, tag: string) =>
    (attributes: object, ...children: readonly Child[]) =>
      createElement(tag, attributes, ...children),
});

/** A part of the page that is written as a function of its properties. */
export const part = <Properties extends object>(
  component: ComponentType<Properties>,
  properties: Properties & { readonly key?: string | number },
  ...children: readonly Child[]
): VNode => createElement(component as ComponentType<object>, properties, ...children);
