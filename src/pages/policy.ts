import { hash } from "node:crypto";

/** The content security policies of all pages. A page may do only what its policy names. */
type Directives = Readonly<Record<string, string>>;

const policyOf = (page: Directives): string =>
  Object.entries({
    "default-src": "'none'",
    ...page,
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  })
    .map(([name, sources]) => `${name} ${sources}`.trimEnd())
    .join("; ");

/** Allows one inline script or style. */
const hashOf = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;

/** The page's own files, and the API. */
const self: Directives = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'none'",
};

/** /docs also has the icons in Swagger UI's style. */
export const docsPolicy = policyOf({ ...self, "img-src": "'self' data:" });

/** The editor of /graphiql also sets styles at run time. */
export const graphiqlPolicy = policyOf({
  ...self,
  "worker-src": "'self' blob:",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self' data:",
});

/**
 * The policy of the page. It also allows the identity provider, and the inline script and style. No
 * script may turn text into markup. The only script URL that code may set is that of the service
 * worker.
 */
export const webPolicy = (issuer: string, inline: { script: string; style: string }): string =>
  policyOf({
    ...self,
    "script-src": `'self' ${hashOf(inline.script)}`,
    "style-src": hashOf(inline.style),
    "connect-src": `'self' ${issuer}`,
    "manifest-src": "'self'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "service-worker",
  });

/** The page's service worker, which fetches the page's files. */
export const workerPolicy = policyOf({ "script-src": "'self'", "connect-src": "'self'" });

/** The unsubscribe page, which has a form. */
export const unsubscribePolicy = policyOf({ "form-action": "'self'" });

/** /mail, in development: the mail itself, without anything that it may load. */
export const mailPolicy = policyOf({});

/**
 * The pages of the service's own identity provider. Chromium applies `form-action` to every redirect
 * after a form, so it names the clients too. `script-src` is never absent: the provider adds the
 * hash of the script that submits its forms.
 */
export const signInPolicy = (css: string, formAction: string, script?: string): string =>
  policyOf({
    "style-src": hashOf(css),
    "script-src": script === undefined ? "" : hashOf(script),
    "form-action": formAction,
  });
