// Shows the button where the browser has passkeys, and offers them in the field for the address.
const form = document.getElementById("passkey");
const { PublicKeyCredential } = window;
let asking = new AbortController();

/** Sends what a passkey signed. What goes wrong, the browser says itself. */
async function ask(mediation) {
  asking.abort();
  asking = new AbortController();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(form.dataset.options),
  );
  const credential = await navigator.credentials.get({
    publicKey,
    mediation,
    signal: asking.signal,
  });
  form.elements.passkey.value = JSON.stringify(credential);
  form.submit();
}

async function offer() {
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) await ask("conditional");
}

if (PublicKeyCredential?.parseRequestOptionsFromJSON) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask().catch(() => offer().catch(() => {}));
  });
  offer().catch(() => {});
}
