import { describe, expect, it } from "@jest/globals";
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

const write = (value: number, sent: number, answered: number | null): Operation => ({
  write: value,
  sent,
  answered,
});
const read = (value: number, sent: number, answered: number): Operation => ({
  read: value,
  sent,
  answered,
});

const possible: Readonly<Record<string, readonly Operation[]>> = {
  nothing: [],
  "a read after a write": [write(1, 1, 2), read(1, 3, 4)],
  "a read during a write, which sees it": [write(1, 1, 4), read(1, 2, 3)],
  "a read during a write, which does not see it": [write(1, 1, 4), read(0, 2, 3)],
  "two writes at once, whose order reads show": [
    write(1, 1, 4),
    write(2, 2, 3),
    read(2, 5, 6),
    read(2, 7, 8),
  ],
  "a write that changes nothing, unless it is put later": [
    write(1, 1, 2),
    write(1, 3, 6),
    write(2, 4, 5),
    read(1, 7, 8),
  ],
  "a write of unknown outcome that never happened": [write(1, 1, null), read(0, 2, 3)],
  "a write of unknown outcome that happened late": [
    write(1, 1, null),
    read(0, 2, 3),
    read(1, 4, 5),
  ],
  "two writes of unknown outcome, one of which happened": [
    write(1, 1, null),
    write(2, 2, null),
    read(0, 3, 4),
    read(2, 5, 6),
  ],
};

const impossible: Readonly<Record<string, readonly Operation[]>> = {
  "a read of what nobody wrote": [read(1, 1, 2)],
  "a read that does not see an answered write": [write(1, 1, 2), read(0, 3, 4)],
  "a read that sees a write before it was sent": [read(1, 1, 2), write(1, 3, 4)],
  "a write that is seen, and then not": [write(1, 1, 6), read(1, 2, 3), read(0, 4, 5)],
  "a write of unknown outcome that is seen before it was sent": [read(1, 1, 2), write(1, 3, null)],
  "a write of unknown outcome that is seen, and then not": [
    write(1, 1, null),
    read(1, 2, 3),
    read(0, 4, 5),
  ],
  "two writes that two people see in different orders": [
    write(1, 1, 8),
    write(2, 1.5, 9),
    read(1, 2, 3),
    read(2, 4, 5),
    read(1, 6, 7),
  ],
};

describe("the search for an order of operations", () => {
  it.each(Object.entries(possible))("finds one for %s", (_name, operations) => {
    expect(linearize(register, operations)).toBeUndefined();
  });

  it.each(Object.entries(impossible))("finds none for %s", (_name, operations) => {
    expect(linearize(register, operations)).toBeDefined();
  });

  it("says which operation has no place, and after which others", () => {
    const written = write(1, 1, 2);
    const stale = read(0, 5, 6);
    const seen = read(1, 3, 4);
    expect(linearize(register, [written, stale, seen])).toEqual({
      before: [written, seen],
      state: 1,
      stuck: stale,
    });
  });

  it("is quick for a thousand operations, sixteen at a time", () => {
    const operations = Array.from({ length: 500 }, (_, i) => [
      write(i, 8 * i, 8 * i + 60),
      read(i, 8 * i + 1, 8 * i + 61),
    ]).flat();
    expect(linearize(register, operations)).toBeUndefined();
  });
});
