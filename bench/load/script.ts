/** One request of a script, and what must come back. */
export interface Step {
  readonly method: "GET" | "POST" | "DELETE";
  /** Here and in the body, `{kept}`, `{start}` and `{end}` are replaced. */
  readonly path: string;
  readonly body?: string;
  /** The statuses that are right; any other fails the benchmark. */
  readonly statuses: readonly number[];
  /** The source of a regular expression: its first group in the answer is `{kept}` from now on. */
  readonly keep?: string;
  /** A text that a right answer does not contain: GraphQL says 200 for errors too. */
  readonly refuse?: string;
}

/** What one connection sends, again and again. A step with `{kept}` is left out where nothing was. */
export interface Script {
  readonly token: string;
  readonly steps: readonly Step[];
}

/** How much is sent: for so long, and until so many answers have come. */
export interface Extent {
  readonly seconds: number;
  readonly answers: number;
}

export interface Job extends Extent {
  readonly origin: string;
  /** One for each connection. */
  readonly scripts: readonly Script[];
}

/** What one contender did in one round. */
export interface Sample {
  readonly count: number;
  readonly seconds: number;
  /** Latencies, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type Outcome = Sample | { readonly failure: string };
