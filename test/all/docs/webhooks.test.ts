import { DEMO } from "./building.ts";
import { describePage } from "./page.ts";

describePage("docs/webhooks.md", {
  before: DEMO,
  printedBy: {
    "3e webhook.test":
      "until cat /tmp/*.output 2>/dev/null | grep '^[-0-9a-f]* webhook.test'; do sleep 0.1; done",
    // What comes to the port of the receiver of the page, to the letter.
    "POST /parking": `kill $!; wait $!
timeout 60 node -e 'require("node:net").createServer((socket) => socket.once("data", (data) => {
  console.log(String(data)); socket.end("HTTP/1.1 204 No Content\\r\\n\\r\\n"); process.exit();
})).listen(8080)' &
as maria $api/parking-spots -d '{"spot_number":"P-1","building_section":"North"}' >/dev/null
wait $!`,
  },
});
