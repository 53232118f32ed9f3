import { html, page } from "./page.ts";

/** `form` comes from the provider: its hidden fields are needed to end the session. */
export const signOutPage = (form: string): string =>
  page(
    "Sign out?",
    html`${{ markup: form }}
<p>You can sign in again as the same person, or as another.</p>
<button class="main" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`,
  );

export const signedOutPage = (): string =>
  page("Signed out", html`<p>You can close this page.</p>`);

export const errorPage = (explanation: string): string =>
  page(
    "This did not work",
    html`<p>${explanation}</p>
<p class="quiet">Go back to where you came from and try again.</p>`,
  );
