/** Pages for errors that a browser shows to a person. Programs get problem documents. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { page as plainPage } from '../integrations/html-page.ts'
import type { SendErrorPage } from '../plugins/problem.ts'
import type { PublicPages, SiteServices } from './site-pages.ts'

/** Without the build of the pages, or if it is broken. */
function sendPlainPage(
  reply: FastifyReply,
  title: string,
  paragraphs: readonly string[],
  product: string,
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(plainPage(title, paragraphs, product))
}

/** Sends an error to a browser as a page: the built one, or a plain one where it is missing or broken. */
export function errorPages(pages: PublicPages, { config, log }: SiteServices): SendErrorPage {
  return async (request: FastifyRequest, reply: FastifyReply, problem) => {
    const { status, title, detail, requestId } = problem
    void reply.code(status)
    try {
      const sent =
        status === 404
          ? await pages.send('not-found', request, reply, async () => ({}))
          : await pages.sendError(request, reply, problem)
      if (sent) return reply
    } catch (error) {
      log.error({ err: error }, 'the page of an error cannot be written')
    }
    const lines = status === 404 ? ['This page does not exist.'] : [detail]
    const reference = `Request id: ${requestId}`
    return sendPlainPage(reply, title, [...lines, reference], config.productName)
  }
}
