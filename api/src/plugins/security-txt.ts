/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. */
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Services } from '../compose.ts'

const DAY_MS = 86_400_000
/** Less than a year (§2.5.5), so that copies are fetched again. */
const GOOD_FOR_DAYS = 180

/** The file. @param now the expiry date is counted from the start of this day (UTC) */
function securityText(contact: string, publicUrl: URL, now: Date): string {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + GOOD_FOR_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`,
    '',
  ].join('\n')
}

export const securityTxt = fastifyPlugin(
  (app: FastifyInstance, { config, now }: Pick<Services, 'config' | 'now'>, done: () => void) => {
    app.get('/.well-known/security.txt', (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .send(securityText(config.securityContact, config.publicUrl, now())),
    )
    done()
  },
  { name: 'security-txt', dependencies: ['security-headers'] },
)
