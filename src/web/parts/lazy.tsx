import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import type { Child } from "../jsx.ts";
import { loadPart, t } from "../messages/translate.ts";
import { beginAnew, useRoute } from "../routing.ts";
import { Button, Link } from "./controls.tsx";
import { Loading } from "./states.tsx";

type Component<Properties> = (properties: Properties) => Child;

/**
 * A component, such as a screen, whose module is fetched when it is first shown, because few people
 * need it, or need it later.
 * @param waiting what is shown until then
 */
export function lazy<Properties extends object>(
  load: () => Promise<Component<Properties>>,
  waiting: Child = <Loading />,
): Component<Properties> {
  let Loaded: Component<Properties> | undefined;
  return function Lazy(properties: Properties) {
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
    if (Loaded !== undefined) return <Loaded {...properties} />;
    return isMissing ? <Missing /> : waiting;
  };
}

/**
 * There is no connection, or there is a newer version of the page with other files. A browser need
 * not fetch again a module that failed. A page that is loaded again has the files of its version.
 */
const Missing = () => (
  <div class="failed" role="alert">
    <p>{t(navigator.onLine ? "error.partMissing" : "error.unreachable")}</p>
    <Button onClick={beginAnew} text={navigator.onLine ? "error.anew" : "app.retry"} />
  </div>
);

/**
 * If drawing a part fails, for example because of a malformed address, the other parts stay, with
 * ways to go on.
 */
export function Boundary({ children }: { readonly children: Child }) {
  // The browser reports it like any other error, for developers.
  const [error, reset] = useErrorBoundary((problem) => reportError(problem));
  const route = useRoute();
  useEffect(() => {
    if (error !== undefined) reset();
  }, [route]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="failed" role="alert">
      <p>{t("error.broken")}</p>
      <div class="actions">
        {/* Loads the page again, so that nothing of the failure remains. */}
        <a class="button" href={location.pathname}>
          {t("error.anew")}
        </a>
        <Link href={addresses.now} text="error.toStart" />
      </div>
    </div>
  );
}

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

/** A module, with the messages that only its screen needs. */
export const withTexts = async <Module,>(
  module: Promise<Module>,
  ...parts: readonly Parameters<typeof loadPart>[0][]
): Promise<Module> => (await Promise.all([module, ...parts.map(loadPart)]))[0];
