import { describePage } from "./page.ts";

describePage("docs/supply-chain.md");
