/** The baseline for redirects, in its own process like the forwarder: a bare node:http server that sends the same answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'

const server = createServer((_request, response) => {
  response.writeHead(301, {
    location: 'https://target.example/base/page?x=1&b=2',
    'cache-control': 'max-age=86400',
    'content-length': 0,
  })
  response.end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
process.once('disconnect', () => {
  server.closeAllConnections()
  server.close()
})
process.send?.({ url: `http://127.0.0.1:${port}` })
