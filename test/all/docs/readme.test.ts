import { DEMO } from "./building.ts";
import { describePage } from "./page.ts";

describePage("README.md", {
  here: { "npm ci && npm start": DEMO },
  notHere: { "npm test": "it runs this" },
});
