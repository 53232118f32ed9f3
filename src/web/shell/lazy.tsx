export { lazy } from "../parts/lazy.tsx";

/** An effect whose module is fetched once the page is there. Where it cannot be fetched, there is none. */
export function lazyEffect(load: () => Promise<() => () => void>): () => () => void {
  return () => {
    let isOver = false;
    let end = (): void => {};
    load().then(
      (begin) => {
        if (!isOver) end = begin();
      },
      () => {},
    );
    return () => {
      isOver = true;
      end();
    };
  };
}
