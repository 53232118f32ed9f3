import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { messages as administration } from "../../../src/web/messages/administration.en.ts";
import { messages as board } from "../../../src/web/messages/board.en.ts";
import { en } from "../../../src/web/messages/en.ts";
import { messages as mail } from "../../../src/web/messages/mail.en.ts";
import { loadMessages, loadPart, t } from "../../../src/web/messages/translate.ts";

const root = new URL("../../../src/web/", import.meta.url);
const filesBelow = async (folder: URL, name: RegExp) =>
  (await readdir(folder, { recursive: true })).filter((file) => name.test(file));
const sources = await filesBelow(root, /\.tsx?$/);
const sourceOf = (file: string) => readFile(new URL(file, root), "utf8");

/** All messages of a language, of whatever file. */
async function messagesOf(language: string): Promise<Readonly<Record<string, unknown>>> {
  const files = await filesBelow(
    new URL("messages/", root),
    new RegExp(`(^|\\.)${language}\\.ts$`),
  );
  const modules = await Promise.all(
    files.map((it) => import(new URL(`messages/${it}`, root).href)),
  );
  return Object.assign({}, ...modules.map((it) => Object.values(it)[0]));
}
const languages = [await messagesOf("en"), await messagesOf("de")] as const;

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
  const files = sources.filter((file) => /^messages\/(\w+\.)?de\.ts$/.test(file));
  const others =
    /\b(Platz|Plätzen?|Platzes|Parkpl[aä]tze?n?|Zeitfenstern?s?|[Gg]ebucht|Buchung(en)?)\b/;
  for (const file of [...files, "../texts/de.ts"]) {
    const texts = (await sourceOf(file)).replaceAll(/\/\*\*.*?\*\//gs, "");
    expect([file, others.exec(texts)?.[0]]).toEqual([file, undefined]);
  }
});

it("no message is empty, and none has markup", () => {
  for (const message of languages.flatMap((it) => Object.values<unknown>(it))) {
    expect(JSON.stringify(message)).not.toMatch(/""|[<>]/);
  }
});

it("what administrators alone load is on their screens alone", async () => {
  const screens = [...(await sourceOf("shell/administration.ts")).matchAll(/screens\/\w+\//g)];
  const theirs = ["messages/", "parts/administration/", ...screens.map(String)];
  const groups = new Set(Object.keys(administration).map((key) => key.replace(/\..*/, "")));
  const text = new RegExp(`["\`](${[...groups].join("|")})\\.`);
  expect(screens.length).toBeGreaterThan(0);
  expect(Object.keys(en).filter((key) => text.test(`"${key}`))).toEqual([]);

  for (const file of sources.filter((it) => !theirs.some((folder) => it.startsWith(folder)))) {
    expect([file, text.exec(await sourceOf(file))?.[0]]).toEqual([file, undefined]);
  }
});

it("what the board loads is on the board alone", async () => {
  for (const file of sources.filter((it) => !/^(messages|screens\/board)\//.test(it))) {
    const source = await sourceOf(file);
    const found = Object.keys(board).find((key) => source.includes(`"${key}"`));
    expect([file, found]).toEqual([file, undefined]);
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
