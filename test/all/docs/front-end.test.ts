import { describePage } from "./page.ts";

describePage("docs/front-end.md", {
  notHere: {
    "npx openapi-typescript": "the generators are not among the packages",
    'from "openapi-fetch"': "the same",
  },
});
