import { useEffect, useRef } from "preact/hooks";
import { stale } from "../api/live.ts";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { useRoute } from "../routing.ts";
import { useStore } from "../store.ts";
import { useNow } from "../time/clock.ts";
import { formatNearMoment } from "../time/format.ts";
import type { Screen } from "./screens.ts";

interface TitledProperties {
  readonly screen: Screen | undefined;
  readonly children: Child;
}

/** A screen with its title, even before its content is known. */
export function Titled({ screen, children }: TitledProperties) {
  const { name = "" } = useRoute();
  const heading = useRef<HTMLHeadingElement>(null);
  const title = screen === undefined ? t("error.title") : t(screen.title, { name });
  const shown = useRef(title);
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
    // A screen reader continues at a new screen, but reads the first one from the top.
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main id="content" tabIndex={-1} class="content">
      <div class="title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <AsOf />
      </div>
      {children}
    </main>
  );
}

/** Shows the age of the data if newer data could not be read. */
function AsOf() {
  const now = useNow();
  const { readAt } = useStore(stale) ?? {};
  if (readAt === undefined) return null;
  return (
    <p class="as-of quiet" role="status">
      {t("app.asOf", { time: formatNearMoment(readAt, now) })}
    </p>
  );
}
