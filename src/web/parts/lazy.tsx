import { useEffect, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { Failed, Loading } from "./states.tsx";

type Component = () => Child;

/** A part, such as a screen, whose module is fetched when it is first shown: few people need it, or later. */
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
