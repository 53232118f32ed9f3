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

/** Its own files, and the API. */
const self: Directives = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'none'",
};

/** /docs: the icons in Swagger UI's style besides. */
export const docsPolicy = policyOf({ ...self, "img-src": "'self' data:" });

/** /graphiql: its editor sets styles at run time besides. */
export const graphiqlPolicy = policyOf({
  ...self,
  "worker-src": "'self' blob:",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self' data:",
});

/**
 * The page for the people of the building: the identity provider besides, and the script and style that
 * stand in the page itself. No script may turn text into markup. The one address of a script that is
 * allowed is that of its service worker.
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

/** The service worker of that page: it asks for the page's files. */
export const workerPolicy = policyOf({ "script-src": "'self'", "connect-src": "'self'" });

/** Where mails are ended: a form. */
export const unsubscribePolicy = policyOf({ "form-action": "'self'" });

/** /mail, in development: a mail as it is, without what it may load. */
export const mailPolicy = policyOf({});

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
