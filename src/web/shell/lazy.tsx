import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { Failed, Loading } from "../parts/states.tsx";

/**
 * A screen whose module is fetched when it is first opened, such as one that few people need:
 * `const show = lazy(async () => (await import("../screens/use/use.tsx")).Use)`.
 */
export function lazy(load: () => Promise<() => Child>): () => VNode {
  let Loaded: (() => Child) | undefined;
  function Lazy() {
    const [{ error }, setResult] = useState<{ readonly error?: unknown }>({});
    const start = () => {
      setResult({});
      load().then(
        (component) => {
          Loaded = component;
          setResult({});
        },
        (error: unknown) => setResult({ error }),
      );
    };
    useEffect(() => {
      if (Loaded === undefined) start();
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return error === undefined ? <Loading /> : <Failed error={error} retry={start} />;
  }
  return () => <Lazy />;
}
