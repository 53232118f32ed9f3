import { useEffect, useErrorBoundary } from "preact/hooks";
import { addresses } from "../../addresses.ts";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { useRoute } from "../routing.ts";
import { Link } from "./link.tsx";

/** Where drawing a part has failed, as by an address that says nonsense, the others stay, and ways to go on. */
export function Boundary({ children }: { readonly children: Child }) {
  // For those who mend it, the browser reports it as any error.
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
        {/* A new start: nothing of what has failed is kept. */}
        <a class="button" href={location.pathname}>
          {t("error.anew")}
        </a>
        <Link href={addresses.now}>{t("error.toStart")}</Link>
      </div>
    </div>
  );
}
