const CAR = "\u{1F697}"; // one character, two UTF-16 units, four bytes

/** Texts of one line and at most `longest` characters. */
export const oneLineTexts = (longest: number): readonly string[] => [
  ...["x", CAR, "x".repeat(longest), CAR.repeat(longest)],
  ...["a b\u00a0c\u3000d", `a'b"c\\d`],
];

/** Texts that are not. */
export const otherTexts = (longest: number): readonly string[] => [
  ...["", " ", "x".repeat(longest + 1), CAR.repeat(longest + 1)],
  ...[" ", "\u00a0", "\u1680", "\u2003", "\u202f", "\u3000", "\ufeff"].flatMap((space) => [
    `${space}x`,
    `x${space}`,
  ]),
  ...["\u0001", "\t", "\n", "\r", "\u001f", "\u007f", "\u0085", "\u009f", "\u2028", "\u2029"].map(
    (control) => `a${control}b`,
  ),
];
