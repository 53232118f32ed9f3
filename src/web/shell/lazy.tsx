export { lazy } from "../parts/lazy.tsx";

/** An effect whose module is fetched after the page. If it cannot be fetched, nothing happens. */
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
