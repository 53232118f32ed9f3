import { DEMO } from "./building.ts";
import { describePage } from "./page.ts";

describePage("docs/front-end.md", {
  before: `${DEMO}\nPATH=/opt/parking/node_modules/.bin:$PATH`,
  notHere: { "npx openapi-typescript": "it takes TypeScript 5, and this project has 7" },
});
