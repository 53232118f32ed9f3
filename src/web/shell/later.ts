import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { part } from "../elements.ts";
import { Failed, Loading } from "../parts/states.ts";

/**
 * A screen whose module is fetched when it is first opened, such as one that few people need:
 * `const show = later(async () => (await import("../screens/use/use.ts")).Use)`.
 */
export function later(load: () => Promise<ComponentType>): () => VNode {
  let loaded: ComponentType | undefined;
  function Later() {
    const [outcome, setOutcome] = useState<{ readonly error?: unknown }>({});
    const start = () => {
      setOutcome({});
      load().then(
        (component) => {
          loaded = component;
          setOutcome({});
        },
        (error: unknown) => setOutcome({ error }),
      );
    };
    useEffect(() => {
      if (loaded === undefined) start();
    }, []);
    if (loaded !== undefined) return part(loaded, {});
    if (outcome.error !== undefined) return part(Failed, { error: outcome.error, retry: start });
    return part(Loading, {});
  }
  return () => part(Later, {});
}
