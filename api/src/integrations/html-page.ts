/** The few pages that the api shows by itself: no script, no outside asset, readable without style. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is safe between tags and in quoted attributes. */
function escapeHtml(text: string): string {
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

/** A whole page. Paragraphs that are text are escaped. */
export function page(title: string, paragraphs: readonly (string | Html)[]): string {
  const body = paragraphs.map((paragraph) =>
    paragraph instanceof Html ? paragraph.markup : `<p>${escapeHtml(paragraph)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
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
