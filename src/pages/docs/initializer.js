/** Shows the description that the page names. */
const ui = globalThis.SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.description,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  showCommonExtensions: true,
  validatorUrl: null,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec: withoutExamples } } } }],
});

// Has an effect only where the description says where to sign in: in development.
ui.initOAuth({
  clientId: "parking-docs",
  scopes: "openid email",
  usePkceWithAuthorizationCodeGrant: true,
});

/** "Try it out" fills in the examples, and almost no row matches all filters of a list at once. */
function withoutExamples(update) {
  return (description) =>
    update(
      JSON.parse(JSON.stringify(description), (_key, value) => {
        if (typeof value?.in !== "string") return value;
        const { example, ...parameter } = value;
        return parameter;
      }),
    );
}
