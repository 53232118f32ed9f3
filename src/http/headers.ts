import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";

/** The usual Cache-Control: an answer is for its caller only, and no cache stores it. */
const NEVER_STORED = "private, no-store";

/**
 * helmet's defaults without `upgrade-insecure-requests`: with it, a browser that opens /docs over
 * plain http on another host than loopback asks for its scripts over https, and gets no answer.
 * Tried in Chromium.
 */
const options = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

type Headers = ReadonlyMap<string, string | number | readonly string[]>;

/** The headers that helmet sets. They are the same for every answer, so they are made once. */
export const securityHeaders: Headers = headersSetBy(helmet(options));

/** What every answer has, unless it sets another value or none. */
export const defaultHeaders = new Map([...securityHeaders, ["Cache-Control", NEVER_STORED]]);

function headersSetBy(middleware: ReturnType<typeof helmet>): Headers {
  const headers = new Map<string, string | number | readonly string[]>();
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.set(name, value);
    return response;
  };
  middleware(request, response, (error) => {
    if (error) throw error;
  });
  return headers;
}
