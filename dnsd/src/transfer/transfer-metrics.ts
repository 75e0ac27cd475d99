import { Counter, Gauge, type Registry } from '../metrics/prometheus.ts'
import type { TransferEvents } from './events.ts'
import type { TransferServer } from './transfer-server.ts'

/** Metrics of secondaries. No label has zone names that a client could invent. */
export class TransferMetrics {
  readonly events: TransferEvents
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
    const sent = this.#counter('transfers_total', 'Completed transfers.', ['asked', 'kind'])
    const octets = this.#counter('transfer_octets_total', 'Bytes of transfers.', [])
    const broken = this.#counter('transfers_broken_total', 'Aborted transfers.', [])
    const refused = this.#counter('transfers_refused_total', 'Refused transfers.', ['reason'])
    const notified = this.#counter(
      'notifies_total',
      'NOTIFY messages to secondaries, by outcome.',
      ['outcome'],
    )
    this.events = {
      refused: (_zone, _client, reason) => refused.inc({ reason }),
      sent(transfer) {
        sent.inc({ asked: transfer.asked, kind: transfer.kind })
        octets.inc(transfer.octets)
      },
      broken: () => broken.inc(),
      acknowledged: () => notified.inc({ outcome: 'acknowledged' }),
      unacknowledged: () => notified.inc({ outcome: 'unacknowledged' }),
    }
  }

  /** Exports the current number of transfers. */
  watch(transfers: Pick<TransferServer, 'load'>): void {
    const gauge: Gauge<'state'> = new Gauge({
      name: 'homing_dnsd_transfers',
      help: 'Current transfers.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect() {
        gauge.set({ state: 'under-way' }, transfers.load.underWay)
        gauge.set({ state: 'waiting' }, transfers.load.waiting)
      },
    })
  }

  #counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    const registers = [this.#registry]
    return new Counter({ name: `homing_dnsd_${name}`, help, labelNames, registers })
  }
}
