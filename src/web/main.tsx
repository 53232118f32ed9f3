import { render } from "preact";
import { startRefreshing } from "./api/live.ts";
import { loadMessages, preferredLanguages } from "./messages/translate.ts";
import { paint } from "./parts/paint.ts";
import { startGuarding } from "./parts/unsaved.ts";
import { startRouting } from "./routing.ts";
import { greeting } from "./settings.ts";
import { Page } from "./shell/page.tsx";
import { startSession } from "./sign-in/session.ts";

const root = document.getElementById("page");
if (root === null) throw new Error("the index has no place for the page");

paint(greeting.colour);
await loadMessages(preferredLanguages());
await startSession();
startRouting();
startGuarding();
startRefreshing();
render(<Page />, root);
