import packageJson from "../package.json" with { type: "json" };

/** The version of the service, as package.json has it. */
export const { version } = packageJson;
