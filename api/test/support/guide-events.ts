/** The events that the guide tells operators to send to a webhook: tests deliver no others, so these must suffice. */
import { readFileSync } from 'node:fs'

const GUIDE = new URL('../../../docs/guides/payments.md', import.meta.url)

/** @param webhook the end of the webhook's URL */
export function eventsOfGuide(webhook: 'stripe' | 'paypal'): ReadonlySet<string> {
  const guide = readFileSync(GUIDE, 'utf8')
  const step = new RegExp(`webhook[^\\n]*/webhooks/${webhook}\`[^\`]*\`\`\`text\\n([^\`]*)\`\`\``)
  const [, list = ''] = step.exec(guide) ?? []
  const types = list.trim().split(/\s+/)
  if (types.length < 2) throw new Error(`the guide has no list of events for ${webhook}`)
  return new Set(types)
}
