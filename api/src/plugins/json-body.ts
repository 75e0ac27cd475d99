import type { FastifyInstance } from 'fastify'
import { Refusal } from '../rules/errors.ts'

/** JSON bodies: octets that are not UTF-8 are refused, not replaced; Fastify's parser refuses `__proto__`. */
export function parseJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  // Compressed bodies are refused, because a small body can unpack to a very large one (RFC 9110 §15.5.16
  // defines the response).
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding']
    if (coding === undefined || coding.toLowerCase() === 'identity') return done(null, payload)
    void reply.header('accept-encoding', 'identity')
    return done(
      new Refusal(
        'unsupported-media-type',
        'A compressed body is not supported. Send the body uncompressed.',
      ),
    )
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, octets, done) => {
    let text: string
    try {
      text = utf8.decode(octets as Buffer)
    } catch {
      done(new Refusal('malformed-request', 'The body is not valid UTF-8. Encode it as UTF-8.'))
      return
    }
    // Many clients send the header without a body; this is accepted where the operation takes no body.
    if (text === '' && request.routeOptions.config.operation?.body === undefined) {
      done(null, undefined)
      return
    }
    void parse(request, text, done)
  })
}
