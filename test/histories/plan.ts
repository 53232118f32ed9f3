import { type Random, random } from "../support/random.ts";
import { type Fault, faults } from "./faults.ts";
import type { Kind } from "./recorded.ts";

/** One operation of one person. What it acts on depends on what is known when its turn comes. */
export interface Step {
  /** Counts the steps of all people. */
  readonly number: number;
  readonly kind: Kind;
  /** Which of the places, and which of the rows known there. */
  readonly place: number;
  readonly row: number;
  /** When it begins, and how long it lasts, in pieces of two hours. */
  readonly from: number;
  readonly length: number;
  /** Whether it asks for what a rule refuses, whatever else happens. */
  readonly isMistaken: boolean;
}

/** A fault, and how many operations are begun before it. */
export interface PlannedFault {
  readonly after: number;
  readonly fault: Fault;
}

/** The steps of everybody in their order, and the faults: the same for the same seed. */
export interface Plan {
  readonly seed: number;
  /** The steps of each person: owners, other residents, administrators. */
  readonly steps: readonly (readonly Step[])[];
  readonly faults: readonly PlannedFault[];
  /** Whether the rest of a window stays on offer. */
  readonly keepsRest: boolean;
}

export interface Size {
  readonly owners: number;
  readonly residents: number;
  readonly administrators: number;
  readonly stepsOfEach: number;
  readonly faults: number;
  readonly keepsRest?: true;
}

type Weights = Readonly<Partial<Record<Kind, number>>>;

const reading: Weights = { "read windows": 3, "read claims": 3 };
const claiming: Weights = { "close claim": 6, "move claim": 3, "delete claim": 3, ...reading };
const weightsOfOwners: Weights = {
  ...claiming,
  claim: 4,
  "publish window": 24,
  "move window": 6,
  "delete window": 3,
  "delete spot": 1,
};
const weightsOfResidents: Weights = { ...claiming, claim: 16, "publish window": 1 };
const weightsOfAdministrators: Weights = {
  "read windows": 8,
  "read claims": 8,
  "close claim": 8,
  "delete window": 2,
  "delete spot": 1,
  approve: 8,
};

/** Few places and few hours for many people, so that their operations collide. */
export function planOf(seed: number, size: Size): Plan {
  const chance = random(seed);
  const roles = [
    ...Array<Weights>(size.owners).fill(weightsOfOwners),
    ...Array<Weights>(size.residents).fill(weightsOfResidents),
    ...Array<Weights>(size.administrators).fill(weightsOfAdministrators),
  ];
  const steps = roles.map((weights, person) =>
    Array.from({ length: size.stepsOfEach }, (_, i) =>
      stepOf(chance, weights, { person, number: i * roles.length + person, owners: size.owners }),
    ),
  );
  const operations = roles.length * size.stepsOfEach;
  return {
    seed,
    steps,
    faults: faultsOf(chance, size.faults, operations),
    keepsRest: size.keepsRest ?? false,
  };
}

/** What only an owner may do. */
const ofOwners: readonly Kind[] = ["publish window", "move window", "delete window", "delete spot"];

interface Turn {
  readonly person: number;
  readonly number: number;
  readonly owners: number;
}

function stepOf(chance: Random, weights: Weights, { person, number, owners }: Turn): Step {
  const kind = weighted(chance, weights);
  const isMistaken = chance.below(8) === 0;
  const place = chance.below(owners);
  return {
    number,
    kind,
    isMistaken,
    place: person < owners && ofOwners.includes(kind) && !isMistaken ? person : place,
    row: chance.below(1000),
    from: chance.below(5),
    length: 1 + chance.below(2),
  };
}

function weighted(chance: Random, weights: Weights): Kind {
  const kinds = Object.entries(weights) as [Kind, number][];
  let left = chance.below(kinds.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [kind, weight] of kinds) {
    if (left < weight) return kind;
    left -= weight;
  }
  throw new Error("the weights do not add up");
}

/** Each kind in turn, evenly spread; the last operations are left without. */
const faultsOf = (chance: Random, count: number, operations: number): readonly PlannedFault[] =>
  Array.from({ length: count }, (_, i) => ({
    after: Math.floor(((i + 0.5 + chance.below(100) / 200) / (count + 1)) * operations),
    fault: faults[i % faults.length] ?? chance.pick(faults),
  }));
