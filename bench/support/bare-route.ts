/** The yardstick of requests, in a process of its own as the api is: a Fastify route that answers a constant. */
import Fastify from 'fastify'

const app = Fastify({ logger: false })
app.get('/nic/update', (_request, reply) =>
  reply.type('text/plain; charset=utf-8').send('nochg 192.0.2.1\n'),
)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => void app.close())
process.send?.({ url })
