import { connection } from "../api/connection.ts";
import { elements } from "../elements.ts";
import { t } from "../messages/translate.ts";
import { useStore } from "../store.ts";

const { div } = elements;

/** Says that the page is offline, or waits because of the limits. */
export function ConnectionBar() {
  const { state, until = 0 } = useStore(connection);
  const count = Math.max(1, Math.ceil((until - Date.now()) / 1_000));
  return div(
    { class: "connection", role: "status" },
    state === "offline" && div({ class: "notice" }, t("connection.offline")),
    state === "waiting" && div({ class: "notice" }, t("connection.waiting", { count })),
  );
}
