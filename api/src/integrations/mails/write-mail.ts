import { html, Html, page } from '../html-page.ts'
import type { Mail, MailParts } from './mail.ts'

/** Both forms of a mail. What comes from people is escaped in the one and kept on its line in the other. */
export function writeMail(parts: MailParts): Mail {
  const { to, subject, greeting, paragraphs, link, footer } = parts
  const text = [greeting, ...paragraphs, ...(link ? [link.url] : []), `-- \n${footer}`]
  const linkMarkup = link ? [html`<p><a href="${link.url}">${link.label}</a></p>`] : []
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: page(subject, [
      greeting,
      ...paragraphs,
      ...linkMarkup,
      new Html('<hr>'),
      html`<p><small>${footer}</small></p>`,
    ]),
  }
}
