import { MAX_EMAIL_LENGTH } from "../formats.ts";
import { type Html, html, page } from "./page.ts";
import type { Person } from "./people.ts";

/** The page where a developer chooses a person instead of entering a password. */
export const signInPage = (people: readonly Person[], refusedAddress?: string): string =>
  page(
    "Sign in",
    html`<p class="quiet">Development only: there are no passwords.</p>
<h2 id="people">As someone from the demo building</h2>
<form method="post" aria-labelledby="people">
<ul>${people.map(personButton)}</ul>
</form>
<h2 id="anyone">As anyone else</h2>
<form method="post" aria-labelledby="anyone">
${emailField(refusedAddress)}
<button class="main">Sign in</button>
</form>`,
  );

const personButton = ({ email, fullName, apartmentNumber, account }: Person): Html =>
  html`<li><button class="person" name="email" value="${email}">
<strong>${fullName}</strong>
<span class="quiet">Apartment ${apartmentNumber}</span>
<span class="quiet">${account}</span>
</button></li>`;

function emailField(refusedAddress: string | undefined): Html {
  const isRefused = refusedAddress !== undefined;
  const refusal = html`<p class="alarm" id="refusal">This is not an e-mail address.</p>`;
  const pointer = html` aria-invalid="true" aria-describedby="refusal" autofocus`;
  return html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required maxlength="${String(MAX_EMAIL_LENGTH)}" autocomplete="email"
 value="${refusedAddress ?? ""}"${isRefused ? pointer : ""}>
${isRefused ? refusal : ""}
<p class="quiet">A new address makes a new person, who can then register a profile.</p>`;
}
