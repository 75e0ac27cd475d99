/*
 * A campaign against a daemon in a separate process, over UDP. It judges the responses that any client gets, and the
 * process, which must neither end nor grow.
 */
import { readFileSync } from 'node:fs'
import { batchesOf } from './batches.ts'
import { described } from './campaign.ts'
import { faultOf } from './judge.ts'
import { shrinkSlowly } from './shrink.ts'
import { BATCH_PACKETS, numbered, UdpExchange } from './udp-exchange.ts'

export interface DaemonCampaign {
  readonly seed: number
  readonly packets: number
  readonly seeds: readonly Buffer[]
  readonly port: number
  readonly pid: number
  /** A name with an address, for valid queries. */
  readonly honestName: string
}

export interface DaemonReport {
  readonly packets: number
  readonly answered: number
  readonly faults: readonly string[]
  /** The longest response time of a valid query behind a batch of packets. */
  readonly honestMostMs: number
  /** Growth of its resident memory, from before the first packet to after the last. */
  readonly grownMiB: number
}

// The kernel assigns each sender's datagrams to one of the daemon's threads.
const CLIENTS = 4
const MOST_FAULTS = 5
// A response can get lost. A response that never arrives in several tries was not sent.
const ASKED_AGAIN = 3

/** @throws an error when the daemon does not answer or has ended */
export async function runDaemonCampaign(campaign: DaemonCampaign): Promise<DaemonReport> {
  const { seed, pid, port, honestName } = campaign
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => UdpExchange.open(port, honestName)),
  )
  const startMiB = residentMiB(pid)
  const faults: string[] = []
  const isEnough = () => faults.length >= MOST_FAULTS
  const batches = batchesOf(campaign, BATCH_PACKETS, isEnough)
  let [sent, answered, honestMostMs] = [0, 0, 0]
  const run = async (client: UdpExchange): Promise<void> => {
    for (const batch of batches) {
      const { answers, honestMs } = await client.send(batch)
      sent += batch.length
      honestMostMs = Math.max(honestMostMs, honestMs)
      for (const [index, packet] of batch.entries()) {
        const got = answers.get(index) ?? []
        answered += got.length
        const fault = batchFault(packet, index, got) && (await lastingFault(client, packet))
        if (!fault) continue
        const shrunk = await shrinkSlowly(
          packet,
          async (candidate) => (await lastingFault(client, candidate)) === fault,
        )
        faults.push(described(fault, seed, packet, shrunk))
      }
    }
  }
  try {
    await Promise.all(clients.map(run))
  } finally {
    for (const client of clients) client.close()
  }
  return { packets: sent, answered, faults, honestMostMs, grownMiB: residentMiB(pid) - startMiB }
}

function batchFault(packet: Buffer, id: number, answers: readonly Buffer[]): string | undefined {
  if (answers.length > 1) return `${answers.length} answers`
  return faultOf(numbered(packet, id), answers[0], 'udp')
}

/** The error that occurs each time the packet is sent alone, because datagrams can get lost. */
async function lastingFault(client: UdpExchange, packet: Buffer): Promise<string | undefined> {
  let fault: string | undefined
  for (let turn = 0; turn < ASKED_AGAIN; turn++) {
    const { answers } = await client.send([packet])
    fault = batchFault(packet, 0, answers.get(0) ?? [])
    if (fault === undefined) return undefined
  }
  return fault
}

/** @throws an error when the process does not exist */
function residentMiB(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(line?.[1]) / 1024
}
