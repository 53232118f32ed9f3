import { createParser } from "eventsource-parser";
import type { Service } from "./service.ts";

/** An event of a stream, as its reader gets it. */
export interface Heard {
  readonly id: number;
  readonly event: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open stream of events. */
export interface Ear {
  readonly status: number;
  readonly headers: Headers;
  /** All events so far. */
  readonly heard: readonly Heard[];
  /** Where the stream began, which its first comment says. */
  readonly began: Promise<number>;
  /** Waits until what was heard is so. */
  until(isSo: (heard: readonly Heard[]) => boolean): Promise<readonly Heard[]>;
  /** Fulfilled when the service ends the stream, or cuts it. */
  readonly over: Promise<"ended" | "cut">;
  close(): void;
}

/** On a busy machine a service may have no time just then; it is asked again, as its clients do. */
export async function listenTo(
  { origin }: Pick<Service, "origin">,
  { token }: { readonly token: string },
  after?: number | string,
): Promise<Ear> {
  const leaving = new AbortController();
  const ask = () =>
    fetch(`${origin}/api/events`, {
      headers: {
        Authorization: `Bearer ${token}`,
        ...(after !== undefined && { "Last-Event-ID": String(after) }),
      },
      signal: leaving.signal,
    });
  let response = await ask();
  while (response.status === 503) {
    await response.text();
    response = await ask();
  }
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const { promise: began, resolve: begin } = Promise.withResolvers<number>();
  const parser = createParser({
    onEvent: ({ id, event = "", data }) => {
      heard.push({ id: Number(id), event, ...JSON.parse(data) });
    },
    onComment: (comment) => begin(Number(comment)),
  });
  const decoder = new TextDecoder();
  const read = async (): Promise<"ended" | "cut"> => {
    try {
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        for (const check of waiting) check();
      }
      return "ended";
    } catch {
      return "cut";
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    heard,
    began,
    until: (isSo) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isSo(heard)) return;
          waiting.delete(check);
          resolve(heard);
        };
        waiting.add(check);
        check();
      }),
    over: read(),
    close: () => leaving.abort(),
  };
}

/** Gives the events that are committed their positions, as the jobs of a service do. */
export async function orderEvents({ pool }: Pick<Service, "pool">): Promise<number> {
  const { rows } = await pool.query<{ position: string }>(
    "select private.order_events() as position",
  );
  return Number(rows[0]?.position);
}
