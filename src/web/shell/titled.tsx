import { useEffect, useRef } from "preact/hooks";
import type { Child } from "../jsx.ts";
import { t } from "../messages/translate.ts";
import { useRoute } from "../routing.ts";
import { AsOf } from "./as-of.tsx";
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
