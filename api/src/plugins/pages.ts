/** The plain pages of the api: the front page of a service without screens, and in development the local mailbox. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { notFound, Refusal } from '../domain/errors.ts'
import { html, Html, page } from '../integrations/html-page.ts'
import { listMailbox, readMailbox } from '../integrations/mailbox.ts'
import { isOfThisMachine } from './origin.ts'

/** Shown where the dashboard is not built. */
export const frontPage = (productName: string) =>
  page(productName, [
    'Names that find home: dynamic DNS.',
    html`<p>
      Register a name, keep its address current from a router, a script or a pipeline, and DNS
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
  return page('Mailbox', ['The newest first.', new Html(`<ul>\n${list}\n</ul>`)])
}

/** Mails hold what lets somebody in: whoever develops reads them, and not the network that the machine is in. */
function requireThisMachine(request: FastifyRequest, config: ApiConfig): void {
  if (isOfThisMachine(request, config)) return
  const detail = 'The mailbox is for this machine alone. Its mails are files in DATA_DIR/mail.'
  throw new Refusal('forbidden', detail)
}

/** Shows mail that was not sent. Never in production, where mail always leaves by SMTP. */
function mailbox(app: FastifyInstance, config: ApiConfig): void {
  app.get('/dev/mailbox', async (request, reply) => {
    requireThisMachine(request, config)
    return sendPage(reply, mailboxPage(await listMailbox(config)))
  })
  app.get<{ Params: { file: string } }>('/dev/mailbox/:file', async (request, reply) => {
    requireThisMachine(request, config)
    const mail = await readMailbox(config, request.params.file)
    if (mail === undefined) throw notFound('mail')
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(mail)
  })
}

export const pages = fastifyPlugin(
  (app: FastifyInstance, config: ApiConfig, done: () => void) => {
    if (config.nodeEnv !== 'production') mailbox(app, config)
    done()
  },
  { name: 'pages', dependencies: ['problem'] },
)
