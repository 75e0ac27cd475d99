import { html, Html, page } from '../html-page.ts'
import type { Mail, MailParts } from './mail.ts'

/** The sender: the service, with the name and the URL that users know. */
export interface Sender {
  readonly product: string
  readonly url: string
}

/**
 * The text and the HTML of a mail. User input is escaped in the HTML and kept on one line in the text:
 * a name with a line break must not start a paragraph that seems to come from the service.
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

/** Text without line breaks of any script (Unicode UAX #14: LF, CR, NEL, LS, PS and the other controls). */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Lines that every mail client shows whole (RFC 5322 §2.1.1), in characters. */
const LINE_LIMIT = 76

/** Wraps text. A word that is longer than a line, such as a URL, gets a line of its own. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/ +/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > LINE_LIMIT) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
