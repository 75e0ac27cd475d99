/** Sends a public page: compressed, with its policy, and only if the browser does not have it. */
import { negotiate } from '@fastify/accept-negotiator'
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
  negotiate(headers['accept-encoding'] ?? '', ['gzip', 'identity']) === 'gzip'

/** Whether the browser has this version: the weak comparison of RFC 9110 §13.1.2. The tags of pages have no commas. */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'] ?? ''
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/** Sends a page with the status of the reply. For status 200 the answer is 304 if the browser has the page. */
export async function sendSitePage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: WrittenPage,
): Promise<void> {
  const isPacked = acceptsGzip(request)
  // Each representation has its own tag (RFC 9110 §8.8.3.3).
  const etag = `"${page.digest}${isPacked ? '-gzip' : ''}"`
  void reply
    .header('content-security-policy', PAGE_POLICY)
    .header('vary', 'Cookie, Accept-Encoding')
  // The page of an error is never kept.
  if (reply.statusCode === 200) {
    void reply.header('cache-control', PAGE_CACHING).header('etag', etag)
    if (isKnown(request, etag)) {
      await reply.code(304).send()
      return
    }
  }
  void reply.type('text/html; charset=utf-8').serializer((body: unknown) => body as string)
  if (isPacked) void reply.header('content-encoding', 'gzip')
  await reply.send(isPacked ? await page.gzip() : page.text)
}
