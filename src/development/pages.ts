import { MAX_EMAIL_LENGTH } from "../formats.ts";
import { type Html, html, htmlPage } from "../http/html.ts";
import { cssOf } from "../identity/pages.ts";
import type { KeptMail } from "../mail/mailer.ts";
import { signInPolicy } from "../pages/policy.ts";
import type { Person } from "./people.ts";

/**
 * Web apps on this machine are clients, and no policy can list their addresses, because [::1] is not
 * a valid source.
 */
export const FORM_ACTION = "'self' http:";

const css = cssOf({});

/** The policy of the pages of mails. */
export const PAGE_POLICY = signInPolicy(css, FORM_ACTION);

const page = (title: string, content: Html): string =>
  htmlPage({ language: "en", title: `${title} – Parking spots`, heading: title, content, css });

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
  return html`<label for="email">Email address</label>
<input id="email" name="email" type="email" required maxlength="${String(MAX_EMAIL_LENGTH)}" autocomplete="email"
 value="${refusedAddress ?? ""}"${isRefused ? pointer : ""}>
${isRefused ? refusal : ""}
<p class="quiet">A new address makes a new person, who can then register a profile.</p>`;
}

/** The page of the mails that were kept, with their recipients. */
export const mailsPage = (mails: readonly KeptMail[]): string =>
  page(
    "Mails",
    html`<p class="quiet">Development only: these were not sent.</p>
${mails.length === 0 ? html`<p>There are none yet.</p>` : ""}
${mails.map(
  ({ id, to, subject, text, keptAt }) => html`<section>
<h2><a href="/mail/${id}">${subject}</a></h2>
<p class="quiet">To ${to}, ${keptAt.toISOString()}</p>
<pre>${text}</pre>
</section>`,
)}`,
  );
