import type { Child } from "../jsx.ts";
import type { MessageKey } from "../messages/en.ts";
import { t } from "../messages/translate.ts";

interface DangerZoneProperties {
  readonly title: MessageKey;
  readonly children: Child;
}

/** What cannot be undone takes two steps: it is folded up under its title. */
export const DangerZone = ({ title, children }: DangerZoneProperties) => (
  <details class="danger-zone">
    <summary>{t(title)}</summary>
    <div class="stack">{children}</div>
  </details>
);
