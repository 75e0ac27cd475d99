import { html, Html, page } from '../html-page.ts'
import type { Mail, MailParts } from './mail.ts'

/** Who writes: the service, by the name and the address that people know it by. */
export interface Sender {
  readonly product: string
  readonly url: string
}

/**
 * Both forms of a mail. What comes from people is escaped in the one and kept on its line in the other:
 * a name with a line break must not begin a paragraph that the service seems to have written.
 */
export function writeMail(parts: MailParts, { product, url }: Sender): Mail {
  const { to, link } = parts
  const subject = `${product}: ${oneLine(parts.subject)}`
  const paragraphs = [parts.greeting, ...parts.paragraphs].map(oneLine)
  const footer = oneLine(parts.footer)
  const text = [
    ...paragraphs.map(wrapped),
    ...(link ? [link.url] : []),
    `-- \n${wrapped(footer)}\n${product}, ${url}`,
  ]
  const linkMarkup = link ? [html`<p><a href="${link.url}">${link.label}</a></p>`] : []
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: page(
      oneLine(parts.subject),
      [
        ...paragraphs,
        ...linkMarkup,
        new Html('<hr>'),
        html`<p>
          <small>${footer}<br /><a href="${url}">${product}</a></small>
        </p>`,
      ],
      product,
    ),
  }
}

/** Text without what breaks a line, in any script (Unicode UAX #14: LF, CR, NEL, LS, PS and the other controls). */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Lines that every reader shows whole (RFC 5322 §2.1.1); in characters. */
const LINE_LIMIT = 76

/** Text in lines. A word that is longer than a line, such as an address, stays whole on one of its own. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/ +/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > LINE_LIMIT) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
