interface Settings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string;
  readonly resource?: string;
  readonly signIn?: "mail";
}

/** What people see of the building before they sign in. */
interface Greeting {
  readonly name?: string;
  readonly mark?: string;
  readonly colour?: string;
}

const said = (name: string) =>
  JSON.parse(document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || "{}");

export const settings: Settings = said("settings");
export const greeting: Greeting = said("greeting");
