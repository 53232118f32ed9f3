import { expect, it } from "@jest/globals";
import { holdsForAll } from "../support/table.ts";
import { refusedBy } from "./support.ts";

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
  allowed: readonly string[],
  refused: readonly string[],
): void {
  it("accepts texts of its form", () =>
    holdsForAll(allowed, async (text) => {
      await writeAsPerson(text);
      expect(await read()).toEqual([{ text }]);
    }));

  it("refuses others, to a person and to the owner of the database", async () => {
    const before = await read();
    await holdsForAll(refused, async (text) => {
      await expect(writeAsPerson(text)).rejects.toMatchObject(refusedBy(rule));
      await expect(writeAsOwner(text)).rejects.toMatchObject(refusedBy(rule));
      expect(await read()).toEqual(before);
    });
  });
}
