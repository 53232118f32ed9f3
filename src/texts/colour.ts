type Colour = readonly [red: number, green: number, blue: number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

/**
 * The grounds of each theme, as in src/web/styles/base.css and src/identity/page.css. `worst` is the hardest one to read on. Text
 * needs a contrast of 4.5 (WCAG 2.2 AA); on a dark ground, a colour with less than 6 looks disabled.
 */
const themes = {
  light: { paper: WHITE, worst: "#f3f5f8", enough: 4.6, soft: 0.1 },
  dark: { paper: [22, 29, 36], worst: "#1e2730", enough: 6.1, soft: 0.14 },
} as const;

export type Theme = keyof typeof themes;

export interface Shades {
  /** For text, icons and grounds. */
  readonly accent: string;
  readonly onAccent: string;
  /** For a ground under text in the accent. */
  readonly soft: string;
}

const parse = (hex: string): Colour => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const write = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((hex) => luminance(parse(hex)))
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The brightest colour of the same hue and strength. */
function brightest(colour: Colour): Colour {
  const most = Math.max(...colour);
  return most === 0 ? WHITE : mix(BLACK, colour, 255 / most);
}

/**
 * The colour itself if it is readable in this theme, or else the nearest shade that is. In dark
 * colours it becomes brighter before it becomes paler.
 */
export function shadesOf(hex: string, theme: Theme): Shades {
  const { paper, worst, enough, soft: share } = themes[theme];
  const colour = parse(hex);
  const soft = write(mix(paper, colour, share));
  const isReadable = (shade: string) =>
    contrast(shade, worst) >= enough && contrast(shade, soft) >= enough;
  const towards = theme === "light" ? [BLACK] : [brightest(colour), WHITE];
  let step = 0;
  let accent = write(colour);
  while (!isReadable(accent) && step < 100 * towards.length) {
    const leg = Math.floor(step / 100);
    step += 1;
    accent = write(mix(towards[leg - 1] ?? colour, towards[leg] ?? colour, step / 100 - leg));
  }
  const onAccent = theme === "light" ? "#ffffff" : write(mix(colour, BLACK, 0.85));
  return { accent, onAccent, soft };
}
