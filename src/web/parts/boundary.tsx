import { useEffect, useErrorBoundary } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { useRoute } from "../routing.ts";
import { Link } from "./link.tsx";

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
        <Link href={addresses.now}>{t("error.toStart")}</Link>
      </div>
    </div>
  );
}
