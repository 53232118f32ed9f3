import { createRequire } from "node:module";

interface Test {
  readonly path: string;
}
/** Orders by how long each file took last time, or by its length. */
type Sequencing = new (options: object) => { sort(tests: readonly Test[]): readonly Test[] };
const { default: Sequencer }: { default: Sequencing } = createRequire(import.meta.url)(
  "@jest/test-sequencer",
);

/** Where tests start processes and browsers, and wait for them: their files take longest. */
const SLOW = /\/test\/all\//;

/** Starts with what takes longest, or the run ends with one worker that still has much to do. */
export default class LongestFirst extends Sequencer {
  override sort(tests: readonly Test[]): readonly Test[] {
    const sorted = super.sort(tests);
    const isSlow = ({ path }: Test): boolean => SLOW.test(path);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
