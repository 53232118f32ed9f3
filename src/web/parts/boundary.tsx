import { useEffect, useErrorBoundary } from "preact/hooks";
import { addresses } from "../addresses.ts";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { useRoute } from "../routing.ts";
import { Link } from "./link.tsx";
import { Failed } from "./states.tsx";

/** A defect of the page in what it holds leaves the rest of the page, and ways to go on. */
export function Boundary({ children }: { readonly children: Child }) {
  const [error, reset] = useErrorBoundary();
  const route = useRoute();
  useEffect(() => {
    if (error !== undefined) reset();
  }, [route]);
  if (error === undefined) return children;
  return (
    <div class="stack">
      <Failed error={error} retry={reset} />
      <p>
        <Link href={addresses.now}>{t("error.toStart")}</Link>
      </p>
    </div>
  );
}
