/** What a sign-in needs of a browser: it keeps cookies and leaves redirects to the caller. */
export interface Browser {
  get(url: string | URL, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form as the page at `url` would. */
  post(
    url: string | URL,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Takes a cookie, as of the header Set-Cookie. */
  keep(cookie: string): void;
  /** The cookies that it has. */
  cookies(): readonly Cookie[];
}

interface Visit extends RequestInit {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Cookie {
  readonly pair: string;
  readonly path: string;
}

/** A cookie is identified by name and path, and sent to what is below its path (RFC 6265, 5.4). */
export function openBrowser(): Browser {
  const jar = new Map<string, Cookie>();

  function keep(header: string): void {
    const [pair = "", ...attributes] = header.split(/; */);
    const path = attributes.find((text) => /^path=/i.test(text))?.slice("path=".length) ?? "/";
    const identity = `${pair.split("=", 1)[0]} ${path}`;
    if (attributes.some((text) => /^expires=Thu, 01 Jan 1970/i.test(text))) jar.delete(identity);
    else jar.set(identity, { pair, path });
  }

  async function visit(url: string | URL, init: Visit): Promise<Response> {
    const { pathname } = new URL(url);
    const cookies = [...jar.values()].filter(({ path }) => pathname.startsWith(path));
    const cookie = cookies.map(({ pair }) => pair).join("; ");
    const headers = { accept: "text/html", cookie, ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const header of response.headers.getSetCookie()) keep(header);
    return response;
  }

  return {
    get: (url, headers = {}) => visit(url, { headers }),
    post: (url, fields, headers = {}) =>
      visit(url, { method: "POST", body: new URLSearchParams(fields), headers }),
    keep,
    cookies: () => [...jar.values()],
  };
}

/** The address that a response redirects to. */
export function locationOf(response: Response): URL {
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.url} answered with ${response.status}`);
  return new URL(location, response.url);
}

/** The first form of a page with its hidden fields: what its script or first button would send. */
export function formOf(markup: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]* action="([^"]+)"/.exec(markup)?.[1];
  if (action === undefined) throw new Error("the page has no form with an action");
  const hidden = markup.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return {
    action,
    fields: Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
  };
}

/** A JSON body, of the type that the caller expects. */
export const readJson = async <Body>(response: Response): Promise<Body> =>
  JSON.parse(await response.text());
