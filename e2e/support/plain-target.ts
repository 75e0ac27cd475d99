/** A web server that always answers, for network namespaces. It prints `ready`. */
import { createServer } from 'node:http'

const [port = '0'] = process.argv.slice(2)
createServer((_request, response) => void response.end('hello')).listen(
  Number(port),
  '0.0.0.0',
  () => process.stdout.write('ready\n'),
)
