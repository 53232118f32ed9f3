import { render } from "preact";
import { startRefreshing } from "./api/live.ts";
import { language, loadMessages } from "./messages/translate.ts";
import { startRouting } from "./routing.ts";
import { Page } from "./shell/page.tsx";
import { startSession } from "./sign-in/session.ts";

const root = document.getElementById("page");
if (root === null) throw new Error("the index has no place for the page");

await loadMessages(navigator.languages);
document.documentElement.lang = language;
await startSession();
startRouting();
startRefreshing();
render(<Page />, root);
