import { createTransport } from "nodemailer";
import { isLoopbackHost, type SmtpServer } from "../config/formats.ts";
import type { MailConfig } from "../config/mail.ts";
import { reasonOf } from "../errors/reason.ts";
import { isMailbox } from "../formats.ts";
import { addressesAt, type Mail, type Mailer, type Sent } from "./mailer.ts";

/** A server that runs answers sooner. */
const PATIENCE_MS = 15_000;

/** Sends mails to an SMTP server, each over its own connection. */
export function smtpMailer({ server, from, publicUrl }: MailConfig, basePath: string): Mailer {
  const transport = createTransport({
    ...connectionTo(server),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
    // A precaution, in case a part of a mail ever looks like a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.indexOf("@") + 1);

  return {
    ...addressesAt(publicUrl, basePath),
    async send(mail, signal): Promise<Sent> {
      if (!isMailbox(mail.to)) return { refusal: "no mail can go to such an address" };
      try {
        await transport.sendMail({
          from,
          // An object, because nodemailer would parse a text.
          to: { name: "", address: mail.to },
          messageId: `<${mail.id}@${domain}>`,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: headersOf(mail),
          signal,
        });
        return {};
      } catch (error) {
        const failure = `the mail server ${server.hostname}:${server.port} ${failureOf(error)}`;
        if (isForGood(error)) return { refusal: failure };
        throw new Error(failure);
      }
    },
  };
}

function connectionTo({ secure, hostname, port, user, password }: SmtpServer) {
  return {
    host: hostname,
    port,
    secure,
    // Nobody in between may read the password, or hide that the server supports encryption.
    requireTLS: !secure && user !== "" && !isLoopbackHost(hostname),
    ...(user && { auth: { user, pass: password } }),
  };
}

function headersOf({ unsubscribeUrl }: Mail): Record<string, string> {
  return {
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    // RFC 8058
    ...(unsubscribeUrl && {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}

/** The parts that are read of nodemailer's errors. */
interface SmtpError {
  readonly command?: unknown;
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly permanent?: unknown;
}

const read = (error: unknown): SmtpError =>
  typeof error === "object" && error !== null ? error : {};

/**
 * Whether the server refuses this mail for ever, or has no such recipient. Errors before that are
 * about our connection, such as a wrong password: they can be fixed, and the mail waits.
 */
function isForGood(error: unknown): boolean {
  const { command, permanent } = read(error);
  return permanent === true && (command === "RCPT TO" || command === "DATA");
}

/** Without the server's own words, which may repeat the address: logs and jobs store this text. */
function failureOf(error: unknown): string {
  const { command, code, responseCode } = read(error);
  if (responseCode !== undefined) return `answered ${responseCode} to ${command}`;
  // One code for all failures of the network and of TLS. These words are Node's.
  const isOfNode = code === "ESOCKET" || code === "EDNS";
  return `cannot be used: ${isOfNode ? reasonOf(error).trim() : (code ?? "no reason")}`;
}
