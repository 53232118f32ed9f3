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

/** /docs: its own files, and the API. */
export const docsPolicy = policyOf({
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:", // the icons in Swagger UI's style
  "connect-src": "'self'",
  "form-action": "'none'",
});

/** /graphiql: its own files, and the API. */
export const graphiqlPolicy = policyOf({
  "script-src": "'self'",
  "worker-src": "'self' blob:",
  "style-src": "'self' 'unsafe-inline'", // the editor sets styles at run time
  "img-src": "'self' data:",
  "font-src": "'self' data:",
  "connect-src": "'self'",
  "form-action": "'none'",
});

/**
 * The page for the people of the building: its own files, the API, and the identity provider. No
 * script may turn text into markup.
 */
export const webPolicy = (issuer: string): string =>
  policyOf({
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": `'self' ${issuer}`,
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  });

/**
 * The sign-in pages of the development identity provider. Chromium applies `form-action` to every
 * redirect that follows a form, also to the clients that signing in and out leads back to: web apps
 * on this machine. Their addresses cannot be listed: no source of a policy may be [::1].
 * `script-src` is empty, not absent: the provider adds the hash of the script that submits its own
 * forms.
 */
export const signInPolicy = (css: string): string =>
  policyOf({
    "style-src": hashOf(css),
    "script-src": "",
    "form-action": "'self' http:",
  });
