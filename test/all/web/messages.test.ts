import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { messages as administrationDe } from "../../../src/web/messages/administration.de.ts";
import { messages as administration } from "../../../src/web/messages/administration.en.ts";
import { messages as boardDe } from "../../../src/web/messages/board.de.ts";
import { messages as board } from "../../../src/web/messages/board.en.ts";
import { messages as claimsDe } from "../../../src/web/messages/claims.de.ts";
import { messages as claims } from "../../../src/web/messages/claims.en.ts";
import { de } from "../../../src/web/messages/de.ts";
import { en } from "../../../src/web/messages/en.ts";
import { messages as mailDe } from "../../../src/web/messages/mail.de.ts";
import { messages as mail } from "../../../src/web/messages/mail.en.ts";
import { messages as profileDe } from "../../../src/web/messages/profile.de.ts";
import { messages as profile } from "../../../src/web/messages/profile.en.ts";
import { messages as spotDe } from "../../../src/web/messages/spot.de.ts";
import { messages as spot } from "../../../src/web/messages/spot.en.ts";
import { messages as spotsDe } from "../../../src/web/messages/spots.de.ts";
import { messages as spots } from "../../../src/web/messages/spots.en.ts";
import { loadMessages, loadPart, t } from "../../../src/web/messages/translate.ts";

const languages = [
  { ...en, ...administration, ...board, ...claims, ...mail, ...profile, ...spot, ...spots },
  {
    ...de,
    ...administrationDe,
    ...boardDe,
    ...claimsDe,
    ...mailDe,
    ...profileDe,
    ...spotDe,
    ...spotsDe,
  },
] as const;

const placeholdersOf = (message: unknown): readonly string[] => [
  ...new Set(JSON.stringify(message).match(/\{\w+\}/g)),
];

it("every language has the same messages, with the same values in them", () => {
  const values = (messages: object) =>
    Object.entries(messages).map(([key, message]) => [key, placeholdersOf(message).toSorted()]);

  const [inEnglish, inGerman] = languages.map((it) => Object.fromEntries(values(it)));
  expect(inGerman).toEqual(inEnglish);
});

it("in German, one thing has one word", async () => {
  const folder = new URL("../../../src/", import.meta.url);
  const files = (await readdir(new URL("web/messages/", folder)))
    .filter((file) => /(^|\.)de\.ts$/.test(file))
    .map((file) => `web/messages/${file}`);
  const others =
    /\b(Platz|Plätzen?|Platzes|Parkpl[aä]tze?n?|Zeitfenstern?s?|[Gg]ebucht|Buchung(en)?)\b/;
  for (const file of [...files, "texts/de.ts"]) {
    const texts = (await readFile(new URL(file, folder), "utf8")).replaceAll(/\/\*\*.*?\*\//gs, "");
    expect([file, others.exec(texts)?.[0]]).toEqual([file, undefined]);
  }
});

it("no message is empty, and none has markup", () => {
  for (const message of languages.flatMap((it) => Object.values<unknown>(it))) {
    expect(JSON.stringify(message)).not.toMatch(/""|[<>]/);
  }
});

it("what administrators alone load is on their screens alone", async () => {
  const root = new URL("../../../src/web/", import.meta.url);
  const source = (file: string) => readFile(new URL(file, root), "utf8");
  const screens = [...(await source("shell/administration.ts")).matchAll(/screens\/\w+\//g)];
  const theirs = ["messages/", "parts/administration/", ...screens.map(String)];
  const groups = new Set(Object.keys(administration).map((key) => key.replace(/\..*/, "")));
  const text = new RegExp(`["\`](${[...groups].join("|")})\\.`);
  expect(screens.length).toBeGreaterThan(0);
  expect(Object.keys(en).filter((key) => text.test(`"${key}`))).toEqual([]);

  const files = (await readdir(root, { recursive: true })).filter((it) => /\.tsx?$/.test(it));
  for (const file of files.filter((it) => !theirs.some((folder) => it.startsWith(folder)))) {
    expect([file, text.exec(await source(file))?.[0]]).toEqual([file, undefined]);
  }
});

it("what the board loads is on the board alone", async () => {
  const root = new URL("../../../src/web/", import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter((it) => /\.tsx?$/.test(it));
  for (const file of files.filter((it) => !/^(messages|screens\/board)\//.test(it))) {
    const source = await readFile(new URL(file, root), "utf8");
    expect([file, Object.keys(board).find((key) => source.includes(`"${key}"`))]).toEqual([
      file,
      undefined,
    ]);
  }
});

it.each([[["administration", "mail"] as const], [["mail", "administration"] as const]])(
  "messages that are loaded together are all there: %s",
  async (parts) => {
    await loadMessages(["en"]);
    await Promise.all(parts.map(loadPart));
    expect(t("mail.language")).toBe(mail["mail.language"]);
    expect(t("building.limits")).toBe(administration["building.limits"]);
  },
);
