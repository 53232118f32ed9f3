/** One line of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly status: number;
  readonly contentType: string | null;
  readonly samples: readonly Sample[];
  /** The sum of the samples of a name that have these labels; undefined where there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

export async function scrape(port: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const samples = parse(await response.text());
  return {
    status: response.status,
    contentType: response.headers.get("Content-Type"),
    samples,
    value(name, labels = {}) {
      const found = samples.filter(
        (it) =>
          it.name === name &&
          Object.entries(labels).every(([label, value]) => it.labels[label] === value),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

const LABEL = /(\w+)="((?:[^"\\\n]|\\[\\"n])*)"/;
const SAMPLE = new RegExp(
  `^([a-zA-Z_:][\\w:]*)(?:\\{(${LABEL.source}(?:,${LABEL.source})*)\\})? (\\S+)$`,
);

/**
 * Reads the text format as strictly as Prometheus does.
 * @throws Error at a line that is not in the format, a sample without a type, or one that is there twice
 */
export function parse(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const names = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((it) => it !== "")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name = "", value = ""] = comment;
      if (kind !== "TYPE") continue;
      if (types.has(name)) throw new Error(`${name} has two types`);
      types.set(name, value);
      continue;
    }
    const [, name, labels = ""] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`not in the format: ${line}`);
    const family = name.replace(/_(bucket|sum|count)$/, "");
    if (!types.has(name) && !/histogram|summary/.test(types.get(family) ?? ""))
      throw new Error(`no type: ${line}`);
    const key = line.slice(0, line.lastIndexOf(" "));
    if (names.has(key)) throw new Error(`twice: ${line}`);
    names.add(key);
    const pairs = [...labels.matchAll(new RegExp(LABEL, "g"))];
    samples.push({
      name,
      labels: Object.fromEntries(pairs.map(([, label, value]) => [label, value])),
      value: numberOf(line.slice(line.lastIndexOf(" ") + 1)),
    });
  }
  return samples;
}

/** Prometheus takes NaN, in any case, where there is nothing to measure. */
function numberOf(text: string): number {
  const value = Number(text.replace("Inf", "Infinity"));
  if (Number.isNaN(value) && text.toLowerCase() !== "nan") throw new Error(`no number: ${text}`);
  return value;
}
