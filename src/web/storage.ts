/**
 * The browser's storage for the page. If the browser forbids it or has no room, a value lasts as
 * long as the page, and the page still works.
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
    /** @returns whether the value outlives the page */
    write(name: string, value: string): boolean {
      const isKept = attempt((storage) => {
        storage.setItem(name, value);
        return true;
      });
      // If there was no room, the stored value is outdated.
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

export const shared = storageOf(() => localStorage);
export const ofTab = storageOf(() => sessionStorage);

/** Undefined also for text that is not JSON, such as the value of another version. */
export function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says that this browser tells a person of messages (parts/push.ts). */
export const PUSH_KEY = "push";
