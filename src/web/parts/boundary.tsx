import { useErrorBoundary } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";

/** Where drawing a part has failed, as by an address that says nonsense, the others stay, and a way back. */
export function Boundary({ children }: { readonly children: Child }) {
  // For those who mend it, the browser reports it as any error.
  const [error] = useErrorBoundary((problem) => reportError(problem));
  if (error === undefined) return <>{children}</>;
  return (
    <div class="failed" role="alert">
      <p>{t("error.broken")}</p>
      {/* A new start: nothing of what has failed is kept. */}
      <a class="button" href={location.pathname}>
        {t("error.anew")}
      </a>
    </div>
  );
}
