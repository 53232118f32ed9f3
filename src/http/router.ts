import type { DefaultContext, Middleware, ParameterizedContext } from "koa";

/** What answers a request. */
export type Endpoint<State = object> = (
  ctx: ParameterizedContext<
    State,
    DefaultContext & { readonly params: Readonly<Record<string, string>> }
  >,
) => Promise<void> | void;

/** What one method does at one path. A segment that begins with a colon is a parameter. */
export interface Entry<State = object> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly answer: Endpoint<State>;
}

/** Where a part of a path leads to. */
class Place<State> {
  readonly #below = new Map<string, Place<State>>();
  readonly answers = new Map<string, Endpoint<State>>();
  /** The names of the parameters on the way here. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** The place below, made if it is missing. */
  make(segment: string): Place<State> {
    const name = /^:(.*)/.exec(segment)?.[1];
    const key = name === undefined ? segment : ANY;
    const place = this.#below.get(key) ?? new Place(name ? [...this.names, name] : this.names);
    this.#below.set(key, place);
    return place;
  }

  /** The place below; what stands for a parameter goes to `values`. `/patterns/preview` is no pattern. */
  find(segment: string, values: string[]): Place<State> | undefined {
    const fixed = this.#below.get(segment);
    if (fixed || segment === "") return fixed;
    const any = this.#below.get(ANY);
    if (any) values.push(segment);
    return any;
  }
}

/** No segment of a path. */
const ANY = "/";

/**
 * Finds what answers a request by one look for each segment of its path. A method that a path does
 * not have is answered with 405, which renderErrors writes, and OPTIONS with those that it has.
 */
export function route<State>(entries: readonly Entry<State>[]): Middleware<State> {
  const root = new Place<State>([]);
  for (const { method, path, answer } of entries) {
    const { answers } = path.split("/").reduce((place, segment) => place.make(segment), root);
    if (method === "GET") answers.set("HEAD", answer);
    answers.set(method, answer);
  }

  return (ctx, next) => {
    const values: string[] = [];
    let place: Place<State> | undefined = root;
    for (const segment of ctx.path.split("/")) place = place?.find(segment, values);
    if (place === undefined || place.answers.size === 0) return next();
    const answer = place.answers.get(ctx.method);
    if (answer) return answer(Object.assign(ctx, { params: paramsOf(place.names, values) }));
    ctx.set("Allow", [...place.answers.keys()].join(", "));
    ctx.status = ctx.method === "OPTIONS" ? 200 : 405;
    if (ctx.method === "OPTIONS") ctx.body = "";
  };
}

const paramsOf = (names: readonly string[], values: readonly string[]) =>
  Object.fromEntries(names.map((name, i) => [name, decoded(values[i] ?? "")]));

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a per cent sign that encodes nothing
  }
}
