/**
 * The plain pages of the api: the front page of a service without screens, the local mailbox in development, and the
 * script of the page that verifies an e-mail address (`features/auth/verify-page.ts`).
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { notFound, Refusal } from '../rules/errors.ts'
import { html, Html, page } from '../integrations/html-page.ts'
import { listMailbox, readMailbox } from '../integrations/mailbox.ts'
import { requireHost } from './host-check.ts'
import { isOfThisMachine } from '../caller/request-source.ts'

/** Shown where the dashboard is not built. */
export const frontPage = (productName: string) =>
  page(productName, [
    'Names that find home: dynamic DNS.',
    html`<p>
      Register a domain, keep its address current from a router, a script or a pipeline, and DNS
      answers with the new address a moment later.
    </p>`,
    html`<p><a href="/api/docs">The API and its documentation</a></p>`,
  ])

export const sendPage = (reply: FastifyReply, markup: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(markup)

/** Files are named `<time>-<recipient>.eml`. */
function mailItem(file: string): Html {
  const [, time = '', recipient = file] = /^(\S+?Z)-(.+)\.eml$/.exec(file) ?? []
  return html`<li><a href="/dev/mailbox/${file}">${recipient}</a> <small>${time}</small></li>`
}

function mailboxPage(files: readonly string[]): string {
  if (files.length === 0) return page('Mailbox', ['No mail yet.'])
  const list = files.map((file) => mailItem(file).markup).join('\n')
  return page('Mailbox', ['The newest mail is first.', new Html(`<ul>\n${list}\n</ul>`)])
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

/** Shows the mail that was not sent. Never in production, where all mail leaves by SMTP. */
function mailbox(app: FastifyInstance, config: ApiConfig): void {
  app.get('/dev/mailbox', { onRequest: requireHost }, async (request, reply) => {
    requireLocalReader(request, config)
    return sendPage(reply, mailboxPage(await listMailbox(config)))
  })
  const file = '/dev/mailbox/:file'
  app.get<{ Params: { file: string } }>(
    file,
    { onRequest: requireHost },
    async (request, reply) => {
      requireLocalReader(request, config)
      const mail = await readMailbox(config, request.params.file)
      if (mail === undefined) throw notFound('mail')
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(mail)
    },
  )
}

/** The URL of the script. */
export const VERIFY_SCRIPT = '/api/verify-email.js'
const VERIFY_SCRIPT_TEXT = readFileSync(
  new URL('../pages/verify-email.js', import.meta.url),
  'utf8',
)

export const pages = fastifyPlugin(
  (app: FastifyInstance, config: ApiConfig, done: () => void) => {
    app.get(VERIFY_SCRIPT, (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(VERIFY_SCRIPT_TEXT),
    )
    if (config.nodeEnv !== 'production') mailbox(app, config)
    done()
  },
  { name: 'pages', dependencies: ['problem', 'host-check'] },
)
