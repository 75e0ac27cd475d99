/*
 * The campaign over TCP: batches of pipelined packets on one connection, each followed by a valid query;
 * and streams of random octets.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { FrameReader } from '../../src/server/frame-reader.ts'
import { randomFrom } from '../support/random.ts'
import { requestOctets } from '../support/request-octets.ts'
import { framed } from '../support/tcp-client.ts'
import { batchesOf } from './batches.ts'
import { described } from './campaign.ts'
import type { DaemonCampaign, DaemonReport } from './daemon-campaign.ts'
import { faultOf } from './judge.ts'
import { noise } from './packets.ts'
import { shrinkSlowly } from './shrink.ts'
import { numbered } from './udp-exchange.ts'

const BATCH_PACKETS = 100
const HONEST_ID = 0xffff
const STREAM_BYTES = 4000

/** @throws an error when the daemon closes a connection before it answers the valid query */
export async function runTcpCampaign(
  campaign: Omit<DaemonCampaign, 'pid'>,
): Promise<Pick<DaemonReport, 'packets' | 'answered' | 'faults'>> {
  const { seed, port, honestName } = campaign
  const random = randomFrom(seed)
  const faults: string[] = []
  let [sent, answered] = [0, 0]
  for (const batch of batchesOf(campaign, BATCH_PACKETS, () => faults.length > 0)) {
    sent += batch.length
    const streamed = connect(port, '127.0.0.1')
    streamed.on('error', () => undefined)
    streamed.end(noise(random, random(STREAM_BYTES)))
    const answers = await exchange(port, honestName, batch)
    streamed.destroy()
    for (const [index, packet] of batch.entries()) {
      const got = answers.get(index) ?? []
      answered += got.length
      const fault = faultAmong(packet, index, got)
      if (fault === undefined) continue
      const shrunk = await shrinkSlowly(packet, async (candidate) => {
        const alone = await exchange(port, honestName, [candidate])
        return faultAmong(candidate, 0, alone.get(0) ?? []) === fault
      })
      faults.push(described(fault, seed, packet, shrunk))
    }
  }
  return { packets: sent, answered, faults }
}

function faultAmong(packet: Buffer, id: number, answers: readonly Buffer[]): string | undefined {
  if (answers.length > 1) return `${answers.length} answers`
  return faultOf(numbered(packet, id), answers[0], 'tcp')
}

/** @returns responses by the index of their packet */
async function exchange(
  port: number,
  honestName: string,
  batch: readonly Buffer[],
): Promise<Map<number, Buffer[]>> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const honest = requestOctets(honestName, 'A', { id: HONEST_ID })
  const messages = [...batch.map(numbered), honest].map(framed)
  socket.write(Buffer.concat(messages))
  const answers = await received(socket)
  socket.destroy()
  return answers
}

async function received(socket: Socket): Promise<Map<number, Buffer[]>> {
  const frames = new FrameReader()
  const answers = new Map<number, Buffer[]>()
  for await (const chunk of socket) {
    frames.push(chunk as Buffer)
    for (let one = frames.take(); one !== undefined; one = frames.take()) {
      const id = one.readUInt16BE(0)
      if (id === HONEST_ID) return answers
      answers.set(id, [...(answers.get(id) ?? []), Buffer.from(one)])
    }
  }
  throw new Error('the connection ended before the honest question was answered')
}
