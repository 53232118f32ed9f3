import { parseArgs } from "node:util";
import type { Extent } from "./load/script.ts";

export interface Options {
  readonly rounds: number;
  /** How long each contender is asked before the first round, and in each round. */
  readonly warmUp: Extent;
  readonly round: Extent;
  /** Only the service and its peers. */
  readonly peers: boolean;
  readonly quick: boolean;
  readonly big: boolean;
  /** Only measurements whose name contains one of these; empty for all. */
  readonly only: readonly string[];
  /** Only contenders whose name contains one of these; empty for all. */
  readonly against: readonly string[];
  /** The folder of another checkout whose service takes part. */
  readonly also?: string | undefined;
  readonly check: boolean;
  readonly record: boolean;
}

export const usage = `npm run bench -- [options]
  --peers            about two minutes: the service beside what one would use instead
  --quick            about one minute: fewer and shorter rounds, fewer contenders
  --big              a building with ten years of history beside one with a year
  --only <name>      only measurements whose name contains this; may be repeated
  --against <name>   only contenders whose name contains this; may be repeated
  --also <folder>    the service of another checkout takes part, on a cluster of its own
  --rounds <count>   how often the contenders take turns
  --seconds <count>  how long each is measured in a round
  --record           keep the ratios by cost of this run in bench/recorded.json
  --check            compare with the kept ratios; exit status 1 where one fell by over 20 %`;

export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      big: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      against: { type: "string", multiple: true, default: [] },
      also: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      record: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, peers } = values;
  const seconds = values.seconds ?? (quick || peers ? 0.3 : 0.8);
  return {
    ...values,
    rounds: Number(values.rounds ?? (quick ? 3 : 5)),
    round: { seconds: Number(seconds), answers: 32 },
    // Node compiles what it has run often. By time, a slow contender would run less of it.
    warmUp: { seconds: 0, answers: quick ? 500 : 2000 },
  };
}

export const isNamed = (name: string, parts: readonly string[]): boolean =>
  parts.length === 0 || parts.some((part) => name.includes(part));
