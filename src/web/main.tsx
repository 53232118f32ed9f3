import { render } from "preact";
import { restoreBuilding } from "./api/building.ts";
import { startRefreshing } from "./api/live.ts";
import { preferredLanguages } from "./messages/choice.ts";
import { language, loadMessages } from "./messages/translate.ts";
import { paint } from "./parts/paint.ts";
import { startRouting } from "./routing.ts";
import { greeting } from "./settings.ts";
import { Page } from "./shell/page.tsx";
import { loadProvider, session, startSession } from "./sign-in/session.ts";
import { PUSH_KEY, shared } from "./storage.ts";
import { startGuarding } from "./unsaved.ts";
import { followVersion } from "./version.ts";

followVersion();
const root = document.getElementById("page");
if (root === null) throw new Error("the index has no place for the page");

paint(greeting.colour);
await Promise.all([loadMessages(preferredLanguages()), startSession()]).catch((error) => {
  // Shows no messages, because they may be missing: the index has these texts.
  root.append(document.querySelector("template")?.content ?? "");
  throw error;
});
document.documentElement.lang = language;
restoreBuilding();
startRouting();
startGuarding();
startRefreshing();
render(<Page />, root);
// Nobody presses twice, and no token ends, before these are loaded.
if (session.get().state === "in") loadProvider().catch(() => {});
import("./parts/focus.ts").then(({ keepFocus }) => keepFocus()).catch(() => {});
import("./parts/presses.ts").then(({ guardPresses }) => guardPresses()).catch(() => {});
if (shared.read(PUSH_KEY))
  import("./parts/push.ts").then(({ followDevice }) => followDevice()).catch(() => {});
