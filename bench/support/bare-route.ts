/** The baseline for requests, in its own process like the api: Fastify routes that return a constant. */
import Fastify from 'fastify'

const app = Fastify({ logger: false })
app.get('/nic/update', (_request, reply) =>
  reply.type('text/plain; charset=utf-8').send('nochg 192.0.2.1\n'),
)
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
app.post('/api/payments/webhooks/stripe', (_request, reply) => reply.code(204).send())
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => void app.close())
process.send?.({ url })
