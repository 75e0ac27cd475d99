/** Sends a public page: compressed, with its policy, and only if the browser does not have it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WrittenPage } from './page-cache.ts'

/** A page may load files of this service, call its API and send forms to it. Nothing runs or applies inline. */
const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/**
 * The header depends on the session cookie, and the landing page on the address of the visitor. So no cache in between
 * may keep a page, and browsers ask each time whether theirs is current.
 */
export const PAGE_CACHING = 'private, no-cache'

const acceptsGzip = ({ headers }: FastifyRequest) =>
  /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/i.test(headers['accept-encoding'] ?? '')

export function sendSitePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, gzip, etag }: WrittenPage,
): FastifyReply {
  void reply
    .header('content-security-policy', PAGE_POLICY)
    .header('vary', 'Cookie, Accept-Encoding')
  // The page of an error is never kept.
  if (reply.statusCode === 200) {
    void reply.header('cache-control', PAGE_CACHING).header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  }
  void reply.type('text/html; charset=utf-8').serializer((body: unknown) => body as string)
  if (!acceptsGzip(request)) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzip)
}
