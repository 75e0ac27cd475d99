/** The pages of the local mailbox, which shows the mail of development. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Address, Email } from 'postal-mime'
import { isOfThisMachine } from '../caller/request-source.ts'
import type { ApiConfig } from '../config/api.ts'
import { html, Html, page } from '../integrations/html-page.ts'
import { listMailbox, readMailbox } from '../integrations/mailbox.ts'
import { notFound, Refusal } from '../rules/errors.ts'
import { requireHost } from './host-check.ts'

const joined = (items: readonly Html[]) => new Html(items.map(({ markup }) => markup).join('\n'))

/** Files are named `<time>-<recipient>.eml`. */
function mailItem(file: string): Html {
  const [, time = '', recipient = file] = /^(\S+?Z)-(.+)\.eml$/.exec(file) ?? []
  return html`<li><a href="/dev/mailbox/${file}">${recipient}</a> <small>${time}</small></li>`
}

function mailboxPage(files: readonly string[]): string {
  if (files.length === 0) return page('Mailbox', ['No mail yet.'])
  return page('Mailbox', [
    'The newest mail is first.',
    html`<ul>
      ${joined(files.map(mailItem))}
    </ul>`,
  ])
}

/** The URLs of a text as links, and everything else as text. */
function withLinks(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/)
  return joined(
    parts.map((part, n) => (n % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`)),
  )
}

const addressOf = (address: Address | undefined) => address?.address ?? 'unknown'

/** One mail: its headers, then its text with the links. */
function mailPage(file: string, mail: Email): string {
  const headers: readonly (readonly [string, string])[] = [
    ['From', addressOf(mail.from)],
    ['To', (mail.to ?? []).map(addressOf).join(', ')],
    ['Date', mail.date ?? 'unknown'],
  ]
  const paragraphs = (mail.text ?? '').trim().split(/\n{2,}/)
  return page(mail.subject ?? '(no subject)', [
    html`<ul>
      ${joined(headers.map(([name, value]) => html`<li><small>${name}</small> ${value}</li>`))}
    </ul>`,
    ...paragraphs.map((text) => html`<p>${withLinks(text)}</p>`),
    html`<hr />
      <p><a href="/dev/mailbox">All mail</a> · <a href="/dev/mailbox/${file}?raw">Source</a></p>`,
  ])
}

/**
 * Mails contain links that sign people in. Only the developer may read them, on the same machine: not the network, and
 * not a page of another site in a browser on this machine.
 *
 * @throws Refusal `forbidden`, `misdirected-request`
 */
function requireLocalReader(request: FastifyRequest, config: ApiConfig): void {
  if (!isOfThisMachine(request, config)) {
    const detail = 'The mailbox requires local access. Its messages are files in DATA_DIR/mail.'
    throw new Refusal('forbidden', detail)
  }
  request.server.requireOwnHost(request)
}

const send = (reply: FastifyReply, type: 'html' | 'plain', text: string | Buffer) =>
  reply.type(`text/${type}; charset=utf-8`).header('cache-control', 'no-store').send(text)

interface MailRoute {
  Params: { file: string }
  Querystring: { raw?: string }
}

/** Shows the mail that was not sent. Never in production, where all mail leaves by SMTP. */
export function mailboxPages(app: FastifyInstance, config: ApiConfig): void {
  app.get('/dev/mailbox', { onRequest: requireHost }, async (request, reply) => {
    requireLocalReader(request, config)
    return send(reply, 'html', mailboxPage(await listMailbox(config)))
  })
  app.get<MailRoute>('/dev/mailbox/:file', { onRequest: requireHost }, async (request, reply) => {
    requireLocalReader(request, config)
    const { file } = request.params
    const source = await readMailbox(config, file)
    if (source === undefined) throw notFound('mail')
    if (request.query.raw !== undefined) return send(reply, 'plain', source)
    // Production never shows mail, so it does not load the parser.
    const { default: PostalMime } = await import('postal-mime')
    return send(reply, 'html', mailPage(file, await PostalMime.parse(source)))
  })
}
