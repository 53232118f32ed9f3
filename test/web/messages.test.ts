import { expect, it } from "@jest/globals";
import { de } from "../../src/web/messages/de.ts";
import { en } from "../../src/web/messages/en.ts";

const placeholdersOf = (message: unknown): readonly string[] => [
  ...new Set(JSON.stringify(message).match(/\{\w+\}/g)),
];

it("every language has the same messages, with the same values in them", () => {
  const values = (messages: object) =>
    Object.entries(messages).map(([key, message]) => [key, placeholdersOf(message).toSorted()]);

  expect(Object.fromEntries(values(de))).toEqual(Object.fromEntries(values(en)));
});

it("no message is empty, and none has markup", () => {
  for (const message of [...Object.values(en), ...Object.values(de)]) {
    expect(JSON.stringify(message)).not.toMatch(/""|[<>]/);
  }
});
