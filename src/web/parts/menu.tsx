import { useId, useRef } from "preact/hooks";
import type { Child } from "../jsx.ts";
import type { Text } from "../messages/translate.ts";
import { Icon } from "./controls.tsx";

interface MoreMenuProperties {
  /** It names its object, because a screen has several menus. */
  readonly label: Text;
  /** Buttons and links of class `entry`. */
  readonly children: Child;
}

const GAP = 4;

/**
 * A button for actions that are needed less often. The popover is above everything else, and closes
 * by itself.
 */
export function MoreMenu({ label, children }: MoreMenuProperties) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const close = () => popover.current?.hidePopover();
  const place = ({ newState }: Pick<ToggleEvent, "newState">) => {
    const box = button.current?.getBoundingClientRect();
    const { style } = popover.current ?? {};
    if (newState === "closed" || box === undefined || style === undefined) return;
    const { clientWidth, clientHeight } = document.documentElement;
    const isLow = box.bottom > clientHeight / 2;
    // The position is relative to the document, so that the menu scrolls with the button.
    style.setProperty("right", `${clientWidth - box.right}px`);
    style.setProperty("top", isLow ? "auto" : `${scrollY + box.bottom + GAP}px`);
    style.setProperty("bottom", isLow ? `${clientHeight - scrollY - box.top + GAP}px` : "auto");
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="plain more-button"
        popovertarget={id}
        aria-label={label}
      >
        <Icon name="more" />
      </button>
      <div
        ref={popover}
        id={id}
        class="more-menu"
        popover="auto"
        onBeforeToggle={place}
        onClick={close}
      >
        {children}
      </div>
    </>
  );
}
