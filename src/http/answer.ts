import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";

/** The usual Cache-Control: an answer is for its caller only, and no cache stores it. */
const NEVER_STORED = "private, no-store";

/**
 * helmet's defaults without `upgrade-insecure-requests`: with it, a browser that opens /docs over
 * plain http on another host than loopback asks for its scripts over https, and gets no answer.
 * Tried in Chromium. And a building's name says nothing about names below it.
 */
const options = {
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  strictTransportSecurity: { includeSubDomains: false },
};

type Headers = ReadonlyMap<string, string | number | readonly string[]>;

/** The headers that helmet sets. They are the same for every answer, so they are made once. */
export const securityHeaders: Headers = headersSetBy(helmet(options));

/** What every answer has, unless it sets another value or none. */
const headers = [
  ["X-Request-Id", ""] as const,
  ...securityHeaders,
  ["Cache-Control", NEVER_STORED] as const,
];
const defaultNames = headers.map(([name]) => name.toLowerCase());
const defaultHead: readonly OutgoingHttpHeader[] = headers.flatMap(([name, value]) => [
  name,
  typeof value === "object" ? [...value] : value,
]);

/**
 * An answer that has the usual headers from the start. Node checks each header when it is set, and
 * keeps it for the head of the answer; here all go into the head at once.
 */
export class Answer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** In lower case, in the order in which they are sent. */
  readonly #names = [...defaultNames];
  /** Names and values by turns, as `writeHead` takes them. */
  readonly #head = [...defaultHead];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    const key = name.toLowerCase();
    let index = this.#names.indexOf(key);
    if (index < 0) index = this.#names.push(key) - 1;
    this.#head[2 * index] = name;
    this.#head[2 * index + 1] = typeof value === "object" ? [...value] : value;
    return this;
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const index = this.#names.indexOf(name.toLowerCase());
    return index < 0 ? undefined : this.#head[2 * index + 1];
  }

  override hasHeader(name: string): boolean {
    return this.#names.includes(name.toLowerCase());
  }

  override removeHeader(name: string): void {
    const index = this.#names.indexOf(name.toLowerCase());
    if (index < 0) return;
    this.#names.splice(index, 1);
    this.#head.splice(2 * index, 2);
  }

  override getHeaderNames(): string[] {
    return [...this.#names];
  }

  override getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries(this.#names.map((name) => [name, this.getHeader(name)]));
  }

  override writeHead(status: number): this {
    return super.writeHead(status, this.#head);
  }
}

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
