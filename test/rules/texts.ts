import { expect, it } from "@jest/globals";
import { refusedBy } from "./support.ts";

/** A text and what is special about it, for it.each. */
export interface Sample {
  readonly what: string;
  readonly text: string;
}

const CAR = "\u{1F697}"; // one character, two UTF-16 units, four bytes

/** Texts of one line and at most `longest` characters. */
export const oneLineTexts = (longest: number): readonly Sample[] => [
  { what: "one character", text: "x" },
  { what: "one astral character", text: CAR },
  { what: `${longest} characters`, text: "x".repeat(longest) },
  { what: `${longest} astral characters`, text: CAR.repeat(longest) },
  { what: "white space inside", text: "a b\u00a0c\u3000d" },
  { what: "quotes and a backslash", text: `a'b"c\\d` },
];

/** Texts that are not. */
export const otherTexts = (longest: number): readonly Sample[] => [
  { what: "no character", text: "" },
  { what: `${longest + 1} characters`, text: "x".repeat(longest + 1) },
  { what: `${longest + 1} astral characters`, text: CAR.repeat(longest + 1) },
  { what: "nothing but a space", text: " " },
  ...[" ", "\u00a0", "\u1680", "\u2003", "\u202f", "\u3000", "\ufeff"].flatMap((space) => [
    { what: `${codeOf(space)} before it`, text: `${space}x` },
    { what: `${codeOf(space)} after it`, text: `x${space}` },
  ]),
  ...["\u0001", "\t", "\n", "\r", "\u001f", "\u007f", "\u0085", "\u009f", "\u2028", "\u2029"].map(
    (control) => ({ what: `${codeOf(control)} inside`, text: `a${control}b` }),
  ),
];

function codeOf(character: string): string {
  const hexadecimal = (character.codePointAt(0) ?? 0).toString(16);
  return `U+${hexadecimal.toUpperCase().padStart(4, "0")}`;
}

/** One column of one row, as a person and the owner of the database write it. */
export interface TextColumn {
  readonly writeAsPerson: (text: string | null) => Promise<unknown>;
  readonly writeAsOwner: (text: string | null) => Promise<unknown>;
  readonly read: () => Promise<unknown>;
}

/** Declares the tests of a rule about a text. */
export function itChecksTexts(
  rule: string,
  { writeAsPerson, writeAsOwner, read }: TextColumn,
  allowed: readonly Sample[],
  refused: readonly Sample[],
): void {
  it.each(allowed)("accepts $what", async ({ text }) => {
    await writeAsPerson(text);
    expect(await read()).toEqual([{ text }]);
  });

  it.each(refused)("refuses $what", async ({ text }) => {
    const before = await read();

    await expect(writeAsPerson(text)).rejects.toMatchObject(refusedBy(rule));
    await expect(writeAsOwner(text)).rejects.toMatchObject(refusedBy(rule));

    expect(await read()).toEqual(before);
  });
}
