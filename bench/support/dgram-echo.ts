/** The baseline for packets: a process that sends each datagram back as an answer, with `node:dgram`. */
import { createSocket } from 'node:dgram'

const socket = createSocket('udp4')
socket.on('message', (packet, client) => {
  packet[2] = (packet[2] ?? 0) | 0x80
  socket.send(packet, client.port, client.address)
})
socket.bind(Number(process.argv[2]), '127.0.0.1')
