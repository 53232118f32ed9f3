import {
  type Format,
  publicUrl,
  type Sender,
  type SmtpServer,
  sender,
  smtpUrl,
} from "./formats.ts";

/** How mails leave. */
export interface MailConfig {
  readonly server: SmtpServer;
  readonly from: Sender;
  /** Where the links of the mails lead to. */
  readonly publicUrl: string;
}

type Setting = <T>(name: string, format: Format<T>, about: string) => T | undefined;

/** Where one of the three is missing, none are sent: the others are required with each. */
export function mailSettings(setting: Setting): MailConfig | undefined {
  const server = setting(
    "SMTP_URL",
    smtpUrl,
    "the server that mails are given to; without it there are none. With `smtps`, and for a password, the connection is encrypted, else where the server can",
  );
  const from = setting("MAIL_FROM", sender, "whom mails are from");
  const origin = setting(
    "PUBLIC_URL",
    publicUrl,
    "where people open the page: the links in mails begin with it",
  );
  return server && from && origin ? { server, from, publicUrl: origin } : undefined;
}
