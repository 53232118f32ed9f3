import { useEffect, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { Failed, Loading } from "../parts/states.tsx";

type Component = () => Child;

/**
 * A screen whose module is fetched when it is first opened, such as one that few people need:
 * `lazy(async () => (await import("../screens/use/use.tsx")).Use)`.
 */
export function lazy(load: () => Promise<Component>): Component {
  let Loaded: Component | undefined;
  return function Lazy() {
    const [{ error }, setResult] = useState<{ readonly error?: unknown }>({});
    const start = () => {
      setResult({});
      load().then(
        (component) => {
          Loaded = component;
          setResult({});
        },
        (reason: unknown) => setResult({ error: reason }),
      );
    };
    useEffect(() => {
      if (Loaded === undefined) start();
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return error === undefined ? <Loading /> : <Failed error={error} retry={start} />;
  };
}

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
