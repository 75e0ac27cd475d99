/** The baseline for lists, in its own process like the api: a Fastify route that serialises a given body by the contract. */
import { components, operations } from '@homing/openapi'
import Fastify from 'fastify'

const app = Fastify({ logger: false })
for (const component of components) app.addSchema(component)
let body: unknown = []
app.get(
  '/api/domains',
  { schema: { response: { 200: operations.domains.listDomains.success.schema } } },
  async () => body,
)
process.on('message', (given: unknown) => {
  body = given
  process.send?.({ isReady: true })
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => void app.close())
process.send?.({ url })
