/** For `node --import`: prints the address of every module that was loaded, once the process ends. */
import { registerHooks } from "node:module";

const urls: string[] = [];

registerHooks({
  load(url, context, nextLoad) {
    urls.push(url);
    return nextLoad(url, context);
  },
});
process.on("exit", () => console.log(urls.join("\n")));
