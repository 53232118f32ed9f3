import { useEffect, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { beginAnew } from "../routing.ts";
import { Loading } from "./states.tsx";

type Component = () => Child;

/**
 * A component, such as a screen, whose module is fetched when it is first shown, because few people
 * need it, or need it later.
 */
export function lazy(load: () => Promise<Component>): Component {
  let Loaded: Component | undefined;
  return function Lazy() {
    const [{ isMissing }, setResult] = useState<{ readonly isMissing?: boolean }>({});
    const isHere = Loaded !== undefined;
    useEffect(() => {
      // The module may have arrived since the drawing. Then this draws it.
      if (isHere) return;
      load().then(
        (component) => {
          Loaded = component;
          setResult({});
        },
        () => setResult({ isMissing: true }),
      );
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return isMissing ? <Missing /> : <Loading />;
  };
}

/**
 * There is no connection, or there is a newer version of the page with other files. A browser need
 * not fetch again a module that failed. A page that is loaded again has the files of its version.
 */
const Missing = () => (
  <div class="failed" role="alert">
    <p>{t(navigator.onLine ? "error.partMissing" : "error.unreachable")}</p>
    <button type="button" onClick={beginAnew}>
      {t(navigator.onLine ? "error.anew" : "app.retry")}
    </button>
  </div>
);
