import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { usualHeaders } from "./headers.ts";

type Value = number | string | readonly string[];
type Header = readonly [name: string, value: Value];

const REQUEST_ID = "X-Request-Id";

/** By their names in lower case, in the order in which they are sent. */
const usual: readonly (readonly [string, Header])[] = [
  [REQUEST_ID, ""] as const,
  ...usualHeaders,
].map(([name, value]) => [name.toLowerCase(), [name, value]]);

/**
 * An answer that has the usual headers. Node checks each header when it is set and keeps it for the
 * head of the answer; here all go into the head at once, which takes a third of the time.
 */
export class Answer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  readonly #headers = new Map<string, Header>(usual);

  override setHeader(name: string, value: Value): this {
    this.#headers.set(name.toLowerCase(), [name, value]);
    return this;
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const value = this.#headers.get(name.toLowerCase())?.[1];
    return typeof value === "object" ? [...value] : value;
  }

  override hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  override removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  override getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  override getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries(this.getHeaderNames().map((name) => [name, this.getHeader(name)]));
  }

  override writeHead(status: number): this {
    const head: (string | string[])[] = [];
    for (const [name, value] of this.#headers.values()) {
      head.push(name, typeof value === "object" ? [...value] : String(value));
    }
    return super.writeHead(status, head);
  }
}
