import { colourStyles } from "./colour.ts";

/** Gives the whole page the colour of the building, if it has one. */
export function paint(hex: string | null | undefined): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(colourStyles(hex))) style.setProperty(name, value);
}
