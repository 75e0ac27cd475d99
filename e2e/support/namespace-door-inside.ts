/** The far side of a door into a network namespace: connects each client of a socket to a loopback port. It prints `ready`. */
import { connect, createServer } from 'node:net'

const [path = '', port = '0'] = process.argv.slice(2)
createServer((client) => {
  const service = connect(Number(port), '127.0.0.1')
  client.pipe(service)
  service.pipe(client)
  client.once('close', () => service.destroy())
  service.once('close', () => client.destroy())
  client.on('error', () => service.destroy())
  service.on('error', () => client.destroy())
}).listen(path, () => process.stdout.write('ready\n'))
