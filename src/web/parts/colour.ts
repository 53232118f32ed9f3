import { type Shades, shadesOf } from "../../texts/colour.ts";

const names = { accent: "--accent", onAccent: "--on-accent", soft: "--accent-soft" } as const;

/**
 * These properties of the page's style for both themes. Without a colour they are null, so that the
 * page's own colours apply.
 */
export function colourStyles(
  hex: string | null | undefined,
): Readonly<Record<string, string | null>> {
  const light = hex && shadesOf(hex, "light");
  const dark = hex && shadesOf(hex, "dark");
  return Object.fromEntries(
    (Object.keys(names) as (keyof Shades)[]).map((shade) => [
      names[shade],
      light && dark ? `var(--light, ${light[shade]}) var(--dark, ${dark[shade]})` : null,
    ]),
  );
}
