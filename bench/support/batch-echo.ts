/** The same as `dgram-echo.ts`, with the daemon's datagram batches: shows how much of the per-packet cost they save. */
import { BatchSocket, openUdp } from '@homing/dnsd/batch-socket'

const socket = new BatchSocket(openUdp({ host: '127.0.0.1', port: Number(process.argv[2]) }))
let isStopping = false
process.once('SIGTERM', () => {
  isStopping = true
})

function turn(): void {
  const count = socket.receive()
  for (let slot = 0; slot < count; slot += 1) {
    const octets = socket.octetsOf(slot)
    const { out } = socket
    const packet = socket.packets[slot]
    if (packet === undefined) continue
    for (let at = 0; at < octets; at += 1) out[at] = packet[at] ?? 0
    out[2] = (out[2] ?? 0) | 0x80
    socket.answer(slot, octets)
  }
  socket.send()
}

/** The process handles signals after this many turns. */
const TURNS_AT_ONCE = 64

function go(): void {
  for (let n = 0; n < TURNS_AT_ONCE; n += 1) turn()
  if (isStopping) process.exit(0)
  setImmediate(go)
}
go()
