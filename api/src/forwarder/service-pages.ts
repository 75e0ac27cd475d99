/** The pages of the forwarder itself: for hosts without a forward, and for requests that it cannot answer. */
import { html, page, PAGE_STYLE_SOURCE } from '../integrations/html-page.ts'
import type { Answer } from './http-answer.ts'

/** The first full read takes seconds at most, and a forwarder that has a snapshot never needs it. */
const RETRY_AFTER_SECONDS = 2

export interface ServicePages {
  readonly notFound: Answer
  readonly unavailable: Answer
  readonly onlyReadable: Answer
  badRequest(fault: string): Answer
}

interface Operator {
  readonly productName: string
  readonly publicUrl: URL
  readonly abuseEmail: string
}

/** Renders the pages once; only the refusal of a malformed request depends on the request. */
export function createServicePages(operator: Operator): ServicePages {
  const { productName, publicUrl, abuseEmail } = operator
  const about = html`<p>
    This address belongs to <a href="${publicUrl.href}">${productName}</a>, a service for domains
    whose addresses change.
  </p>`
  const abuse = html`<p>
    To report abuse of a domain, write to <a href="mailto:${abuseEmail}">${abuseEmail}</a>.
  </p>`
  const answer = (
    status: number,
    title: string,
    text: string,
    headers: Record<string, string> = {},
  ): Answer => {
    const body = Buffer.from(page(title, [text, about, abuse], productName))
    return {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-length': body.length,
        'content-security-policy': `default-src 'none'; style-src ${PAGE_STYLE_SOURCE}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        ...headers,
      },
      body,
    }
  }
  return {
    notFound: answer(404, 'No web forward', 'This domain does not have a web forward.'),
    unavailable: answer(
      503,
      'Not ready yet',
      'The web-forwarding server is starting. Try again in a moment.',
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    ),
    onlyReadable: answer(
      405,
      'Method not allowed',
      'This domain shows a page in a frame. The page can only be read: use GET or HEAD.',
      { allow: 'GET, HEAD' },
    ),
    badRequest: (fault) => answer(400, 'Bad request', fault, { connection: 'close' }),
  }
}
