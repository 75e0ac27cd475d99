/** The page that browsers show for a link that verifies an address. */
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../rules/errors.ts'
import { html, type Html, page, PAGE_STYLE_SOURCE } from '../../integrations/html-page.ts'
import { VERIFY_SCRIPT } from '../../plugins/pages.ts'
import { TEXTS } from './texts.ts'
import { EmailUnconfirmed } from './verify-email.ts'

/** Whether a client prefers HTML to JSON (RFC 9110 §12.5.1): browsers name `text/html` first. */
export function prefersHtml(accept: string | undefined): boolean {
  const first = accept?.split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase()
  return first === 'text/html' || first === 'application/xhtml+xml'
}

/** The policy of every page of the api, and additionally our own script, which calls our own API. */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `connect-src 'self'`,
  `style-src ${PAGE_STYLE_SOURCE}`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

interface Outcome {
  readonly status: number
  readonly title: string
  readonly paragraphs: readonly (string | Html)[]
}

const signIn = html`<a href="/#login">Sign in</a>`

/**
 * What a person reads before the button is pressed. The script replaces the part in `section` by the outcome, and
 * then shows the hidden paragraph.
 */
function question({ username, email }: EmailUnconfirmed): readonly Html[] {
  return [
    html`<section>
      <p>
        The account <strong>${username}</strong> was registered with the email address
        <strong>${email}</strong>. If you registered it, verify the address:
      </p>
      <p><button type="button">${TEXTS.verifyButton}</button></p>
      <p>If you did not, close this page. The account cannot be used without a verified address.</p>
      <noscript><p>The button requires JavaScript. Please allow it for this page.</p></noscript>
    </section>`,
    html`<p role="status"></p>`,
    html`<p hidden>${signIn}</p>`,
    html`<script src="${VERIFY_SCRIPT}" defer></script>`,
  ]
}

function outcomeOf(refusal: unknown): Outcome {
  if (refusal === undefined) {
    const paragraphs = [TEXTS.mayLogIn, html`<p>${signIn}</p>`]
    return { status: 200, title: TEXTS.verified, paragraphs }
  }
  if (refusal instanceof EmailUnconfirmed) {
    return { status: 409, title: 'Verify Your Email Address', paragraphs: question(refusal) }
  }
  if (!(refusal instanceof Refusal)) throw refusal
  const title = refusal.code === 'link-expired' ? 'Link Expired' : 'Verification Failed'
  return { status: 400, title, paragraphs: [refusal.message] }
}

/**
 * Sends the page. @param refusal the error of the verification, undefined when it succeeded @param product the product
 * name, for the page's title
 */
export function sendVerifyPage(
  reply: FastifyReply,
  refusal: unknown,
  product: string,
): FastifyReply {
  const { status, title, paragraphs } = outcomeOf(refusal)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'no-referrer')
    .serializer(String)
    .send(page(title, paragraphs, product))
}
