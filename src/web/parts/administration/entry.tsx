import type { Child } from "../../jsx.ts";
import { plain, type Text } from "../../messages/translate.ts";

interface EntryProperties {
  readonly name: string;
  readonly badges?: Child;
  /** What is known about it, in one line. */
  readonly about: readonly string[];
  /** The box to choose it. */
  readonly pick?: Child;
  readonly actions?: Child;
  readonly children?: Child;
}

/** A row of a list of class `entries`. */
export const Entry = ({ name, badges, about, pick, actions, children }: EntryProperties) => (
  <li class="entry-row">
    {pick}
    <div class="about">
      <p>
        <strong>{plain(name)}</strong>
        {badges}
      </p>
      <p class="quiet small">{plain(about.filter(Boolean).join(" · "))}</p>
      {children}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </li>
);

interface PickProperties {
  readonly label: Text;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly toggle: () => void;
}

export const Pick = ({ label, toggle, ...box }: PickProperties) => (
  <label class="pick">
    <input {...box} type="checkbox" aria-label={label} onChange={toggle} />
  </label>
);
