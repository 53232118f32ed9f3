/** The key under which the tab stores the sign-in. A pasted token must not outlive the tab. */
const STORAGE_KEY = "parking-docs";
const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");

/** Shows the description that the page names. */
const ui = globalThis.SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.description,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  showCommonExtensions: true,
  validatorUrl: null,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec: inBrief } } } }],
  responseInterceptor(response) {
    if (response.status === 401) signOut();
    return response;
  },
});

// This has an effect only in development, where the description says how to sign in.
ui.initOAuth({
  clientId: "parking-docs",
  scopes: "openid email",
  usePkceWithAuthorizationCodeGrant: true,
});

ui.authActions.restoreAuthorization({ authorized: stored });
ui.getStore().subscribe(() => {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(ui.authSelectors.authorized()));
});

/** A token that was refused is not sent again. */
function signOut() {
  ui.authActions.logout(Object.keys(ui.authSelectors.authorized().toJS()));
}

/** The introduction says what all operations have in common. Each operation shows only the rest. */
function inBrief(update) {
  return (description) =>
    update(
      JSON.parse(JSON.stringify(description), (name, value) => {
        if (name === "info" && value.version !== undefined) return operationsFirst(value);
        if (name === "parameters" && Array.isArray(value)) return value.filter(isOwn);
        if (name === "responses") return onlyWhere(value, (_status, response) => isOwn(response));
        if (name === "headers") return onlyWhere(value, (header) => header === "Location");
        return typeof value?.in === "string" ? parameterInBrief(value) : value;
      }),
    );
}

/** Hides the common part behind a line that opens it, so that the operations come first. */
function operationsFirst({ description, ...info }) {
  const begin = description.indexOf("\n## ");
  const first = description.slice(0, begin);
  const rest = description.slice(begin);
  const titles = [...rest.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const summary = `<summary>Read first: ${titles.join(", ")}</summary>`;
  return { ...info, description: `${first}\n\n<details>${summary}\n\n${rest}\n\n</details>` };
}

const isOwn = (value) => value.$ref === undefined && !isAboutKey(value);

/** The refusals of an Idempotency-Key are the same for every POST. */
function isAboutKey({ content }) {
  const refusals = Object.keys(content?.["application/json"]?.examples ?? {});
  return refusals.length > 0 && refusals.every((name) => name.startsWith("idempotency_key_"));
}

const onlyWhere = (object, isWanted) =>
  Object.fromEntries(Object.entries(object).filter((entry) => isWanted(...entry)));

/**
 * "Try it out" fills in the examples, and almost no row matches all filters of a list at once. A
 * pattern and a maximum length are for programs.
 */
function parameterInBrief({ example, schema, ...parameter }) {
  const { pattern, maxLength, ...inBrief } = schema;
  return { ...parameter, schema: inBrief };
}
