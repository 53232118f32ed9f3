/** For a request that makes something: what is empty is left out. */
export const withoutEmpty = (typed: object): object =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value));

/** For a request that changes something: what is empty is cleared. */
export const withNull = (typed: object): object =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || null]));
