/**
 * The few pages that the api serves itself, and the HTML of mails: no inline scripts, no external assets, readable
 * without styles.
 */
import { createHash } from 'node:crypto'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Markup that is already safe, as opposed to text. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Markup with its values escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const written = parts.map((part, n) => {
    const value = values[n]
    if (value === undefined) return part
    return part + (value instanceof Html ? value.markup : escapeHtml(value))
  })
  return new Html(written.join(''))
}

/** Follows the reader's choice of light or dark; every pair of colours has a contrast of 5 or more. */
const STYLE = `
:root { color-scheme: light dark; --bg: #f7f8fa; --paper: #fff; --text: #14181f; --muted: #5f6b7a; --line: #d5dae1; --link: #0a6b4d }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0f1318; --paper: #171c23; --text: #e8ecf1; --muted: #93a0b1; --line: #2c3541; --link: #5fd0a4 }
}
body { margin: 0; padding: 48px 16px; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 640px; margin: 0 auto; padding: 24px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; overflow-wrap: anywhere }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25 }
a { color: var(--link) }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 8px 0; border-top: 1px solid var(--line) }
small { color: var(--muted); font-size: 14px }
hr { margin: 24px 0 16px; border: 0; border-top: 1px solid var(--line) }
`

/** The style of a page as a content security policy names it (CSP 3 §2.3.1). The policy allows this inline style and no other. */
export const PAGE_STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** A whole page. Paragraphs that are text are escaped. @param product the product name, for the page's title */
export function page(
  title: string,
  paragraphs: readonly (string | Html)[],
  product?: string,
): string {
  const body = paragraphs.map((paragraph) =>
    paragraph instanceof Html ? paragraph.markup : `<p>${escapeHtml(paragraph)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(product === undefined ? title : `${title} · ${product}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body.join('\n')}
</main>
</body>
</html>
`
}
