/** What the service says in the page's index. */
export interface Settings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string;
  readonly resource?: string;
}

/** What the building shows of itself to those who have not signed in. */
export interface Greeting {
  readonly name?: string;
  readonly mark?: string;
  readonly colour?: string;
}

const said = (name: string) =>
  JSON.parse(document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || "{}");

export const settings: Settings = said("settings");
export const greeting: Greeting = said("greeting");
