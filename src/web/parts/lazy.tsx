import { useEffect, useState } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { beginAnew } from "../routing.ts";
import { Loading } from "./states.tsx";

type Component = () => Child;

/** A part, such as a screen, whose module is fetched when it is first shown: few people need it, or later. */
export function lazy(load: () => Promise<Component>): Component {
  let Loaded: Component | undefined;
  return function Lazy() {
    const [{ isMissing }, setResult] = useState<{ readonly isMissing?: boolean }>({});
    const isHere = Loaded !== undefined;
    useEffect(() => {
      // It may have come since the drawing: then this draws it.
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
 * There is no connection, or a newer version of the page, which has other files. A browser need not
 * fetch again what it could not fetch; a page that begins anew has the files of its version.
 */
const Missing = () => (
  <div class="failed" role="alert">
    <p>{t(navigator.onLine ? "error.partMissing" : "error.unreachable")}</p>
    <button type="button" onClick={beginAnew}>
      {t(navigator.onLine ? "error.anew" : "app.retry")}
    </button>
  </div>
);
