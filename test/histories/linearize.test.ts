import { describe, expect, it } from "@jest/globals";
import { holdsForAll } from "../support/table.ts";
import { linearize, type Model, type Timed } from "./linearize.ts";

type Operation = Timed & ({ readonly write: number } | { readonly read: number });

/** A number that is written and read; at first 0. */
const register: Model<number, Operation> = {
  start: 0,
  after: (state, operation) => {
    if ("write" in operation) return operation.write;
    return operation.read === state ? state : undefined;
  },
  isReading: (operation) => "read" in operation,
};

/** "write 1 from 2 to 3": the value, when it was sent, and when it was answered ("?" is never). */
const operationsOf = (text: string): readonly Operation[] =>
  [...text.matchAll(/(write|read) (\d+) from (\S+) to ([^,\s]+)/g)].map(
    ([, kind, value, sent, answered]) => ({
      ...(kind === "write" ? { write: Number(value) } : { read: Number(value) }),
      sent: Number(sent),
      answered: answered === "?" ? null : Number(answered),
    }),
  );

const possible = {
  nothing: "",
  "a read after a write": "write 1 from 1 to 2, read 1 from 3 to 4",
  "a read during a write, which sees it": "write 1 from 1 to 4, read 1 from 2 to 3",
  "a read during a write, which does not see it": "write 1 from 1 to 4, read 0 from 2 to 3",
  "two writes at once, whose order reads show":
    "write 1 from 1 to 4, write 2 from 2 to 3, read 2 from 5 to 6, read 2 from 7 to 8",
  "a write that changes nothing, unless it is put later":
    "write 1 from 1 to 2, write 1 from 3 to 6, write 2 from 4 to 5, read 1 from 7 to 8",
  "a write of unknown outcome that never happened": "write 1 from 1 to ?, read 0 from 2 to 3",
  "a write of unknown outcome that happened late":
    "write 1 from 1 to ?, read 0 from 2 to 3, read 1 from 4 to 5",
  "two writes of unknown outcome, one of which happened":
    "write 1 from 1 to ?, write 2 from 2 to ?, read 0 from 3 to 4, read 2 from 5 to 6",
};

const impossible = {
  "a read of what nobody wrote": "read 1 from 1 to 2",
  "a read that does not see an answered write": "write 1 from 1 to 2, read 0 from 3 to 4",
  "a read that sees a write before it was sent": "read 1 from 1 to 2, write 1 from 3 to 4",
  "a write that is seen, and then not":
    "write 1 from 1 to 6, read 1 from 2 to 3, read 0 from 4 to 5",
  "a write of unknown outcome that is seen before it was sent":
    "read 1 from 1 to 2, write 1 from 3 to ?",
  "a write of unknown outcome that is seen, and then not":
    "write 1 from 1 to ?, read 1 from 2 to 3, read 0 from 4 to 5",
  "two writes that two people see in different orders":
    "write 1 from 1 to 8, write 2 from 1.5 to 9, read 1 from 2 to 3, read 2 from 4 to 5, read 1 from 6 to 7",
};

describe("the search for an order of operations", () => {
  it("finds one for each history that could be", () =>
    holdsForAll(Object.entries(possible), ([, history]) =>
      expect(linearize(register, operationsOf(history))).toBeUndefined(),
    ));

  it("finds none for those that could not be", () =>
    holdsForAll(Object.entries(impossible), ([, history]) =>
      expect(linearize(register, operationsOf(history))).toBeDefined(),
    ));

  it("says which operation has no place, and after which others", () => {
    const operations = operationsOf("write 1 from 1 to 2, read 0 from 5 to 6, read 1 from 3 to 4");
    const [written, stale, read] = operations;
    expect(linearize(register, operations)).toEqual({
      before: [written, read],
      state: 1,
      stuck: stale,
    });
  });

  it("is quick for a thousand operations, sixteen at a time", () => {
    const operations = Array.from({ length: 500 }, (_, i) =>
      operationsOf(
        `write ${i} from ${8 * i} to ${8 * i + 60}, read ${i} from ${8 * i + 1} to ${8 * i + 61}`,
      ),
    ).flat();
    expect(linearize(register, operations)).toBeUndefined();
  });
});
