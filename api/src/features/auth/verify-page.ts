/** The page that a browser shows for a link out of a mail. */
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import { page } from '../../integrations/html-page.ts'
import { TEXTS } from './texts.ts'

/** Whether a caller would rather read HTML than JSON (RFC 9110 §12.5.1): browsers name `text/html` first. */
export function prefersHtml(accept: string | undefined): boolean {
  const first = accept?.split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase()
  return first === 'text/html' || first === 'application/xhtml+xml'
}

interface Outcome {
  readonly status: number
  readonly title: string
  readonly text: string
}

function outcomeOf(refusal: unknown): Outcome {
  if (refusal === undefined) {
    return { status: 200, title: TEXTS.verified, text: 'You can sign in now.' }
  }
  if (!(refusal instanceof Refusal)) throw refusal
  const title = refusal.code === 'link-expired' ? 'Link Expired' : 'Verification Failed'
  return { status: 400, title, text: refusal.message }
}

/** Answers the page. @param refusal what verifying threw, undefined when it succeeded @param product whose page it is */
export function sendVerifyPage(
  reply: FastifyReply,
  refusal: unknown,
  product: string,
): FastifyReply {
  const { status, title, text } = outcomeOf(refusal)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .serializer(String)
    .send(page(title, [text], product))
}
