/**
 * What a browser keeps for the page. It may forbid that, or have no room for it: then a value lasts as
 * long as the page, and the page works all the same.
 */
function storageOf(open: () => Storage) {
  const lasting = new Map<string, string>();
  function attempt<Result>(use: (storage: Storage) => Result): Result | undefined {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  }
  const remove = (name: string): void => {
    lasting.delete(name);
    attempt((storage) => storage.removeItem(name));
  };
  return {
    remove,
    read: (name: string): string | undefined =>
      lasting.get(name) ?? attempt((storage) => storage.getItem(name)) ?? undefined,
    /** @returns whether it outlives the page */
    write(name: string, value: string): boolean {
      const isKept = attempt((storage) => {
        storage.setItem(name, value);
        return true;
      });
      // Where there was no room for it, what is there is too old.
      if (isKept) lasting.delete(name);
      else {
        remove(name);
        lasting.set(name, value);
      }
      return isKept === true;
    },
    clear(): void {
      lasting.clear();
      attempt((storage) => storage.clear());
    },
  };
}

/** The tabs of a browser share it. */
export const shared = storageOf(() => localStorage);
export const ofTab = storageOf(() => sessionStorage);

/** Undefined also where it is no JSON, such as what another version has kept. */
export function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
