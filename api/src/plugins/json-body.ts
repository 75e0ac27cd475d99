import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/errors.ts'

/** JSON bodies: octets that are not UTF-8 are refused, not replaced; `__proto__` is refused by Fastify's parser. */
export function parseJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, octets, done) => {
    let text: string
    try {
      text = utf8.decode(octets as Buffer)
    } catch {
      done(new Refusal('malformed-request', 'The body is not valid UTF-8.'))
      return
    }
    // Many clients send the header without a body; a call that takes none does not mind.
    if (text === '' && request.routeOptions.config.operation?.body === undefined) {
      done(null, undefined)
      return
    }
    void parse(request, text, done)
  })
}
