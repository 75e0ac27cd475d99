/** Outgoing mail: by SMTP, or into the local mailbox of development. */
import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import type { Attachment } from 'nodemailer/lib/mailer/index.js'
import type { WorkerConfig } from '../config/worker.ts'
import { makeMailbox, restrictMailbox } from './mailbox.ts'
import type { Mail } from './mails/mail.ts'

export interface Mailer {
  /**
   * Sends a mail. It may throw although the server accepted the mail; a repeated mail has the same
   * id, so the recipient can recognise it as the same one.
   */
  send(mail: Mail, id: string): Promise<void>
  close(): void
}

export type MailerConfig = Pick<WorkerConfig, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>

/** Maximum time that a mail server may be silent, in milliseconds. */
const SMTP_LIMIT_MS = 15_000

/** The text on one line, so that it cannot start another header (RFC 5322 §2.2). */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

/**
 * The text as a MIME part with unbroken lines. Because of a single long line, nodemailer would encode the
 * whole text, and a link with soft line breaks in it cannot be copied out of a file. Lines of up to 998
 * characters are allowed (RFC 5322 §2.1.1); text with non-ASCII characters is left to nodemailer's encoding.
 */
function textPart(text: string): Attachment {
  const contentType = 'text/plain; charset=utf-8'
  if (!/^[\x20-\x7e\n]*$/.test(text) || text.split('\n').some((line) => line.length > 998)) {
    return { contentType, content: text }
  }
  const body = text.replaceAll('\n', '\r\n')
  return {
    raw: `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${body}`,
    contentType,
  }
}

function messageOf(mail: Mail, id: string, { mailFrom, publicUrl }: MailerConfig): SendMailOptions {
  return {
    from: mailFrom,
    // An object, so that an address with commas is not parsed as a list of addresses.
    to: { name: '', address: oneLine(mail.to) },
    subject: oneLine(mail.subject),
    alternatives: [
      textPart(mail.text),
      { contentType: 'text/html; charset=utf-8', content: mail.html },
    ],
    messageId: `<${oneLine(id)}@${publicUrl.hostname}>`,
    headers: { 'auto-submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * The mail server did not accept a mail. The message contains the server's reply without addresses. The library's error
 * is discarded, because it contains the recipients in several places, and logs and failed jobs are kept.
 */
class MailNotTaken extends Error {
  override name = 'MailNotTaken'
  readonly code: string | undefined
  readonly command: string | undefined

  constructor(error: Error & { readonly code?: string; readonly command?: string }) {
    super(error.message.replaceAll(/[^\s<>()[\]:;,"']+@[^\s<>()[\]:;,"']+/g, '(address)'))
    this.code = error.code
    this.command = error.command
  }
}

class SmtpMailer implements Mailer {
  readonly #transport: Transporter
  readonly #config: MailerConfig

  constructor(url: URL, config: MailerConfig) {
    this.#config = config
    this.#transport = createTransport(url.href, {})
    Object.assign(this.#transport.options, {
      connectionTimeout: SMTP_LIMIT_MS,
      greetingTimeout: SMTP_LIMIT_MS,
      socketTimeout: SMTP_LIMIT_MS,
    })
  }

  async send(mail: Mail, id: string): Promise<void> {
    try {
      await this.#transport.sendMail(messageOf(mail, id, this.#config))
    } catch (error) {
      throw new MailNotTaken(error as Error)
    }
  }

  close(): void {
    this.#transport.close()
  }
}

/** Writes each mail to a file `<time>-<to>.eml`, under a temporary name first, so that no reader sees a partial file. */
class MailboxMailer implements Mailer {
  readonly #transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  readonly #config: MailerConfig
  #lastTimeMs = 0

  constructor(config: MailerConfig) {
    this.#config = config
  }

  async send(mail: Mail, id: string): Promise<void> {
    const { message } = await this.#transport.sendMail(messageOf(mail, id, this.#config))
    const folder = makeMailbox(this.#config)
    // Each mail of this process gets a unique name, even when several follow within a millisecond.
    this.#lastTimeMs = Math.max(Date.now(), this.#lastTimeMs + 1)
    const time = new Date(this.#lastTimeMs).toISOString().replaceAll(':', '-')
    const to = mail.to.replaceAll(/[^A-Za-z0-9@._-]/g, '').slice(0, 150)
    const aside = join(folder, `.${randomBytes(8).toString('hex')}.new`)
    await writeFile(aside, message as Buffer, { mode: 0o600 })
    await rename(aside, join(folder, `${time}-${to}.eml`))
  }

  close(): void {
    this.#transport.close()
  }
}

/** Creates the mailer of the configuration. @throws the system's error when the mailbox belongs to another user */
export function createMailer(config: MailerConfig): Mailer {
  if (config.smtpUrl !== undefined) return new SmtpMailer(config.smtpUrl, config)
  restrictMailbox(config)
  return new MailboxMailer(config)
}
