import { render } from "preact";
import { restoreBuilding } from "./api/building.ts";
import { startRefreshing } from "./api/live.ts";
import { language, loadMessages } from "./messages/translate.ts";
import { startRouting } from "./routing.ts";
import { Page } from "./shell/page.tsx";
import { startSession } from "./sign-in/session.ts";
import { followVersion } from "./version.ts";

followVersion();
const root = document.getElementById("page");
if (root === null) throw new Error("the index has no place for the page");

await Promise.all([loadMessages(navigator.languages), startSession()]);
document.documentElement.lang = language;
restoreBuilding();
startRouting();
startRefreshing();
render(<Page />, root);
