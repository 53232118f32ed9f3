import type { JSX as PreactJSX, VNode } from "preact";
import type { Text } from "./messages/translate.ts";

/** What an element may contain. Plain strings are not allowed: texts come from `t` or `plain`. */
export type Child = VNode | Text | false | null | undefined | readonly Child[];

type TextAttribute = "title" | "placeholder" | "alt" | "aria-label" | "aria-roledescription";

/** Omits from each member of a union, because the attributes of an input depend on its type. */
type Without<Type, Names extends string> = Type extends unknown ? Omit<Type, Names> : never;

type Attributes<Tag extends keyof PreactJSX.IntrinsicElements> = Without<
  PreactJSX.IntrinsicElements[Tag],
  "children" | "dangerouslySetInnerHTML" | TextAttribute
> & { readonly [Name in TextAttribute]?: Text | undefined } & {
  readonly [Name in `data-${string}`]?: string;
} & { readonly children?: Child };

/**
 * What the compiler accepts as JSX. Preact's own types accept any string as text, so tsconfig.json
 * names this file instead.
 */
export namespace JSX {
  export type Element = VNode;
  export type ElementType = keyof IntrinsicElements | ((properties: never) => Child);
  export interface IntrinsicAttributes {
    readonly key?: string | number;
  }
  export interface ElementChildrenAttribute {
    readonly children: Child;
  }
  export type IntrinsicElements = {
    readonly [Tag in keyof PreactJSX.IntrinsicElements]: Attributes<Tag>;
  };
}
