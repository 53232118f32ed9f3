/** PostGraphile alone on the building's database, set up as its documentation does it. */
import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { pgSmartTags } from "postgraphile/utils";

const { DATABASE_URL, AUTH_ISSUER, AUTH_AUDIENCE } = process.env;
const keys = createRemoteJWKSet(new URL(`${AUTH_ISSUER}/jwks`));

/** @type {GraphileConfig.Preset} */
const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [
    pgSmartTags([
      // PostGraphile gives the table "building" and the view "buildings" the same name.
      { kind: "class", match: "building", tags: { name: "building_row" } },
      // No foreign key leads from a cancelled claim to its window.
      {
        kind: "class",
        match: "claims",
        tags: { foreignKey: "(availability_id) references parking.availabilities (id)" },
      },
    ]),
  ],
  pgServices: [makePgService({ connectionString: DATABASE_URL, schemas: ["parking", "api"] })],
  grafserv: { graphiql: false, watch: false },
  grafast: {
    explain: false,
    async context({ node }) {
      const [, token = ""] = node?.req.headers.authorization?.split(" ") ?? [];
      const { payload } = await jwtVerify(token, keys, {
        issuer: AUTH_ISSUER,
        audience: AUTH_AUDIENCE,
      });
      return { pgSettings: { "request.jwt.claims": JSON.stringify(payload) } };
    },
  },
};

const pgl = postgraphile(preset);
if (process.env.PRINT) {
  const { printSchema } = await import("postgraphile/graphql");
  console.log(printSchema(await pgl.getSchema()));
}
const server = createServer();
server.on("error", (error) => console.error(error));
await pgl.createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}`));
