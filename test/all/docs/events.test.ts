import { DEMO } from "./building.ts";
import { describePage } from "./page.ts";

describePage("docs/events.md", {
  before: DEMO,
  endless: { "--no-buffer": "" },
  here: { "id: 4711": "id: …" },
  first: {
    "--no-buffer": `token=$(npm run -s token -- maria@demo.example)
(
  until grep -qs '^id:' /tmp/*.output; do sleep 0.1; done
  curl -s -X PUT -H "Authorization: Bearer $token" -H "Content-Type: application/json" \\
    -d '{"full_name":"Maria S."}' http://127.0.0.1:3000/api/profile
) >/dev/null 2>&1 &`,
  },
});
