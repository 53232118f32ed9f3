import { connection } from "../api/connection.ts";
import { t } from "../messages/translate.ts";
import { useStore } from "../store.ts";

/** Says that the page is offline, or waits because of the limits. */
export function ConnectionBar() {
  const { state, until = 0 } = useStore(connection);
  const count = Math.max(1, Math.ceil((until - Date.now()) / 1_000));
  return (
    <div class="connection" role="status">
      {state === "offline" && <div class="notice">{t("connection.offline")}</div>}
      {state === "waiting" && <div class="notice">{t("connection.waiting", { count })}</div>}
    </div>
  );
}
