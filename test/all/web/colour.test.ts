import { describe, expect, it } from "@jest/globals";
import { contrast, shadesOf } from "../../../src/texts/colour.ts";
import { colourStyles } from "../../../src/web/parts/colour.ts";

/** The backgrounds of text in the accent, as in styles/base.css. */
const grounds = {
  light: ["#ffffff", "#f3f5f8"],
  dark: ["#161d24", "#0e1419", "#1e2730"],
} as const;

/** The other colour of text on the soft background, as in styles/base.css. */
const quiet = { light: "#52606d", dark: "#a3b2c0" } as const;

const steps = ["00", "33", "66", "99", "cc", "ff"];
const colours = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)),
);

describe("the colour of a building", () => {
  it("has a contrast as WCAG defines it", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
    expect(contrast("#123456", "#123456")).toBe(1);
  });

  it.each(["light", "dark"] as const)("can be read in %s colours, whatever it is", (theme) => {
    const unreadable = colours.filter((colour) => {
      const { accent, onAccent, soft } = shadesOf(colour, theme);
      const pairs = [...grounds[theme], soft].map((ground) => contrast(accent, ground));
      return Math.min(...pairs, contrast(onAccent, accent), contrast(quiet[theme], soft)) < 4.5;
    });

    expect(unreadable).toEqual([]);
  });

  it("stays as it is where it can be read", () => {
    expect(shadesOf("#1d6f42", "light").accent).toBe("#1d6f42");
    expect(shadesOf("#7ddba6", "dark").accent).toBe("#7ddba6");
  });

  it("does not fade in dark colours, where a pale button looks disabled", () => {
    const strengthOf = (hex: string) => {
      const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      return 1 - Math.min(...parts) / Math.max(...parts);
    };
    for (const colour of ["#1d6f42", "#0b63b0", "#8a2f8f", "#7a4a00"]) {
      const { accent } = shadesOf(colour, "dark");
      expect([colour, accent, strengthOf(accent) > 0.45]).toEqual([colour, accent, true]);
      expect(contrast(accent, "#1e2730")).toBeGreaterThan(6);
    }
  });

  it("is that of the page where the building has none", () => {
    expect(Object.values(colourStyles(null))).toEqual([null, null, null]);
  });
});
