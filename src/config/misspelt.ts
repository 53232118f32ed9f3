import { describeSettings } from "./settings.ts";

/** A variable that is not a setting, and the setting that somebody may have meant. */
export interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/** Variables that are not settings, but resemble a setting that is not set. */
export function misspeltSettings(env: NodeJS.ProcessEnv): readonly Misspelt[] {
  const settings = describeSettings().map(({ name }) => name);
  const missing = settings.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const meant =
        former.get(name) ?? missing.find((setting) => isAlike(letters(name), letters(setting)));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** Settings of earlier versions, and the ones that do their work now. */
const former: ReadonlyMap<string, string> = new Map([["READ_DATABASE_URL", "DATABASE_URL"]]);

const letters = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z]/g, "");

/** Shorter names belong to other programs: MAIL, HOSTNAME, LOGNAME. */
const FEWEST_LETTERS = 7;
const MOST_DIFFERENT = 2;
const MOST_MISSING = 3;

function isAlike(given: string, setting: string): boolean {
  if (given === setting) return true;
  if (Math.min(given.length, setting.length) < FEWEST_LETTERS) return false;
  const isCut = given.startsWith(setting) || setting.startsWith(given);
  if (isCut && Math.abs(given.length - setting.length) <= MOST_MISSING) return true;
  return distance(given, setting) <= MOST_DIFFERENT;
}

/** The number of letters to add, remove or change (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
