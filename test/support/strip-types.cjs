/** Lets Jest read our TypeScript as Node does: the types are blanked out, nothing is compiled. */
const { stripTypeScriptTypes } = require("node:module");

module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
