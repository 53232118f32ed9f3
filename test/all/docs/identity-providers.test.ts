import { describePage } from "./page.ts";

describePage("docs/identity-providers.md", {
  here: { "<project>": "parking" },
  notHere: {
    "check:token -- <token>\n":
      "it takes a token of a provider: test/all/commands/check-token.test.ts",
    "<the other token>": "the same",
    "exports.onExecutePostLogin": "it runs at the provider",
    "function public.add_email_confirmed_at": "the same",
  },
});
