import { type IncomingMessage, ServerResponse } from "node:http";
import helmet from "helmet";

/**
 * helmet's defaults without `upgrade-insecure-requests`: with it, a browser that opens /docs over
 * plain http on another host than loopback asks for its scripts over https, and gets no answer.
 * Tried in Chromium. And a building's name says nothing about names below it.
 */
export const secure = helmet({
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  strictTransportSecurity: { includeSubDomains: false },
});

/** Every answer has these headers from the start. It is private to its caller, and no cache stores it. */
export class Answer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    secure(this.req, this, () => {});
    this.setHeader("Cache-Control", "private, no-store");
  }
}
