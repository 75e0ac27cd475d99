/** Whether a client prefers HTML to JSON (RFC 9110 §12.5.1): browsers name `text/html` first. */
export function prefersHtml(accept: string | undefined): boolean {
  const first = accept?.split(',', 1)[0]?.split(';', 1)[0]?.trim().toLowerCase()
  return first === 'text/html' || first === 'application/xhtml+xml'
}
