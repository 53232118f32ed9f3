import { readFileSync } from "node:fs";
import { MAX_EMAIL_LENGTH } from "../formats.ts";
import { type Html, html, htmlPage } from "../http/html.ts";
import { shadesOf } from "../texts/colour.ts";
import type { Language } from "../texts/kinds.ts";
import type { SignInTexts } from "../texts/sign-in.ts";
import { formatter, locales } from "../texts/times.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const css = read("page.css");
/** The only script of these pages. */
export const passkeyScript = read("passkey.js");

/** For whom a page is: their language, and the building whose page it is. */
export interface Reader {
  readonly language: Language;
  readonly texts: SignInTexts;
  readonly name: string;
  readonly colour?: string | undefined;
}

/** The style of all pages of the provider, in the colour of the building. */
export function cssOf({ colour }: Pick<Reader, "colour">): string {
  if (colour === undefined) return css;
  const [light, dark] = [shadesOf(colour, "light"), shadesOf(colour, "dark")];
  return `${css}
:root {
  --accent: light-dark(${light.accent}, ${dark.accent});
  --on-accent: light-dark(${light.onAccent}, ${dark.onAccent});
}
`;
}

function page(reader: Reader, heading: string, content: (texts: SignInTexts) => Html): string {
  const { language, name, texts } = reader;
  return htmlPage({
    language,
    title: `${heading} – ${name}`,
    heading,
    content: html`<p class="quiet">${name}</p>\n${content(texts)}`,
    css: cssOf(reader),
  });
}

/** A field, with what is wrong with it. */
function field(label: string, attributes: Html, refusal: string | undefined, id = "field"): Html {
  const pointer = html` aria-invalid="true" aria-describedby="refusal"`;
  return html`<label for="${id}">${label}</label>
<input id="${id}" ${attributes} required${refusal ? pointer : ""}>
${refusal ? html`<p class="alarm" id="refusal" role="alert">${refusal}</p>` : ""}`;
}

const emailField = (label: string, autocomplete: string, typed: string, refusal?: string): Html =>
  field(
    label,
    html`name="email" type="email" maxlength="${String(MAX_EMAIL_LENGTH)}" autocomplete="${autocomplete}" value="${typed}" autofocus`,
    refusal,
  );

/** Asks for codes again, or for another address. */
const otherwise = (address: string, again: string, other: string): Html =>
  html`<form method="post">
<button name="email" value="${address}">${again}</button>
<button name="other" value="yes">${other}</button>
</form>`;

const codeField = html`inputmode="numeric" pattern="[0-9 ]*" maxlength="12"`;

/** @param options with which a browser finds the person's passkey */
export const addressPage = (
  reader: Reader,
  options: object,
  address = "",
  refusal?: string,
): string =>
  page(
    reader,
    reader.texts.title,
    (texts) => html`<form method="post">
${emailField(texts.address, "email webauthn", address, refusal)}
<p class="quiet">${texts.how}</p>
<button class="main">${texts.send}</button>
</form>
<form method="post" id="passkey" hidden data-options="${JSON.stringify(options)}">
<input type="hidden" name="passkey">
<button>${texts.byPasskey}</button>
</form>
<script>${{ markup: passkeyScript }}</script>`,
  );

export const codePage = (reader: Reader, address: string, refusal?: string): string =>
  page(
    reader,
    reader.texts.codeTitle,
    (texts) => html`<p>${texts.sent(address)}</p>
<form method="post">
${field(texts.code, html`name="code" ${codeField} autocomplete="one-time-code" autofocus`, refusal)}
<button class="main">${texts.signIn}</button>
</form>
<p class="quiet">${texts.nothingCame}</p>
${otherwise(address, texts.again, texts.other)}`,
  );

/** @param current the address that the person has */
export const changeAddressPage = (
  reader: Reader,
  current: string,
  typed = "",
  refusal?: string,
): string =>
  page(
    reader,
    reader.texts.change.title,
    ({ change }) => html`<p>${change.current(current)}</p>
<form method="post">
${emailField(change.newAddress, "off", typed, refusal)}
<p class="quiet">${change.how}</p>
<button class="main">${change.send}</button>
</form>
<p><a href="/profile">${change.back}</a></p>`,
  );

export const changeCodesPage = (
  reader: Reader,
  current: string,
  address: string,
  refusal?: string,
): string =>
  page(
    reader,
    reader.texts.change.codesTitle,
    (texts) => html`<p>${texts.change.sent}</p>
<form method="post">
${field(texts.change.codeOf(address), html`name="new" ${codeField} autocomplete="off" autofocus`, refusal)}
${field(texts.change.codeOf(current), html`name="old" ${codeField} autocomplete="off"`, undefined, "old")}
<button class="main">${texts.change.title}</button>
</form>
<p class="quiet">${texts.nothingCame}</p>
<p class="quiet">${texts.change.noMailbox}</p>
${otherwise(address, texts.change.again, texts.other)}`,
  );

/** @param days on which the person signed in in other browsers, such as 2030-01-31 */
export const elsewherePage = (reader: Reader, days: readonly string[]): string =>
  page(
    reader,
    reader.texts.elsewhere.title,
    ({ elsewhere, change }) => html`<p>${days.length > 0 ? elsewhere.since : elsewhere.nobody}</p>
<ul>
${days.map((day) => html`<li>${written(day, reader)}</li>`)}
</ul>
<p class="quiet">${elsewhere.how}</p>
<p class="quiet">${elsewhere.passkeys}</p>
<form method="post">
<button class="main">${elsewhere.title}</button>
</form>
<p><a href="/profile">${change.back}</a></p>`,
  );

const written = (day: string, { language }: Reader): string =>
  formatter(locales[language], { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));

/** Only says something, and leads back. */
export const messagePage = (reader: Reader, heading: string, sentence: string): string =>
  page(
    reader,
    heading,
    (texts) => html`<p>${sentence}</p>
<p><a href="/profile">${texts.toPage}</a></p>`,
  );

/** `form` comes from the provider: its hidden fields are needed to end the session. */
export const signOutPage = (reader: Reader, form: string): string =>
  page(
    reader,
    reader.texts.leaveTitle,
    (texts) => html`${{ markup: form }}
<p>${texts.leaveSentence}</p>
<button class="main" form="op.logoutForm" name="logout" value="yes" autofocus>${texts.leave}</button>
<button form="op.logoutForm">${texts.stay}</button>`,
  );

export const signedOutPage = (reader: Reader): string =>
  page(reader, reader.texts.left, (texts) => html`<p>${texts.leftSentence}</p>`);

export const errorPage = (reader: Reader, explanation: string): string =>
  page(
    reader,
    reader.texts.failed,
    (texts) => html`<p>${texts.failedHint}</p>
<p><a href="/">${texts.toPage}</a></p>
<p class="quiet" lang="en">${explanation}</p>`,
  );
