/** The page of a stealth forward: a frame of the target in full size, under the visitor's own URL. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../integrations/html-page.ts'
import type { Forward } from './forward.ts'

const STYLE = `
:root { color-scheme: light dark }
html, body { height: 100%; margin: 0 }
body { display: flex; flex-direction: column; font: 13px/1.5 system-ui, sans-serif }
iframe { flex: 1; width: 100%; border: 0 }
footer { padding: 4px 12px; color: #5f6b7a; background: #f7f8fa }
a { margin-right: 16px; color: #0a6b4d }
@media (prefers-color-scheme: dark) { footer { color: #93a0b1; background: #0f1318 } a { color: #5fd0a4 } }
`
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

export interface StealthPage {
  readonly body: string
  readonly contentSecurityPolicy: string
}

/**
 * Renders the page. The owner's texts are escaped, and the page can load the frame and nothing else.
 *
 * `frame-src` names schemes, not the origin of the target: browsers apply it to each page that the frame goes to, and many
 * targets redirect or link to another origin, such as from `example.com` to `www.example.com`. A closed list would protect
 * nothing: the page has no script, and the only frame is the one in its text.
 *
 * @param host the host that the visitor asked for: the title if the owner gave none
 * @param location the URL in the frame, from the URL parser
 */
export function stealthPage(
  { title, description, keywords }: Forward,
  { host, location, abuseEmail }: { host: string; location: string; abuseEmail: string },
): StealthPage {
  const shown = escapeHtml(title ?? host)
  const url = escapeHtml(location)
  const abuse = escapeHtml(`mailto:${abuseEmail}`)
  // Not a tagged template: formatters of HTML would change the style, whose hash the policy contains.
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${shown}</title>
${meta('description', description)}${meta('keywords', keywords)}<style>${STYLE}</style>
</head>
<body>
<iframe src="${url}" title="${shown}"></iframe>
<footer><a href="${url}">Open without a frame</a><a href="${abuse}">Report abuse</a></footer>
</body>
</html>
`
  return {
    body,
    contentSecurityPolicy: `default-src 'none'; frame-src http: https:; style-src ${STYLE_SOURCE}; base-uri 'none'; form-action 'none'`,
  }
}

function meta(name: string, content: string | null): string {
  return content === null ? '' : `<meta name="${name}" content="${escapeHtml(content)}">\n`
}
