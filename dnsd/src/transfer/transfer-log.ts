import type { Logger } from 'pino'
import type { TransferEvents, TransferRefusal } from './events.ts'

const REFUSALS: Readonly<Record<TransferRefusal, string>> = {
  'not-allowed': 'the settings do not allow it',
  'bad-signature': 'its signature is invalid or expired, or its key is unknown',
  busy: 'too many transfers are waiting',
  incomplete: 'changes of the zone were lost on disk; it must be read from the database first',
}

// Anyone can request a transfer, so the number of log lines is limited.
const TOLD_PER_HOUR = 100
const HOUR_MS = 3_600_000

/** Logs transfer events as sentences. */
export function transferLog(log: Logger): TransferEvents {
  const isNew = oncePerHour()
  return {
    refused(zone, client, why) {
      if (!isNew(`${zone} ${client} ${why}`)) return
      log.warn({ zone, client, why }, `${client} did not get zone ${zone}: ${REFUSALS[why]}.`)
    },
    sent({ zone, client, asked, kind, serial, messages, octets, tookMs }) {
      const fields = { zone, client, asked, kind, serial, messages, octets, ms: Math.round(tookMs) }
      if (kind === 'whole') log.info(fields, `${client} got zone ${zone} as a whole (${asked}).`)
      else if (kind === 'differences')
        log.debug(fields, `${client} got the differences of ${zone}.`)
      else log.debug(fields, `${client} has the newest version of ${zone}.`)
    },
    broken(zone, client, err) {
      const why = err === undefined ? 'the client closed the connection' : err.message
      log.warn({ zone, client, err }, `The transfer of ${zone} to ${client} was aborted: ${why}`)
    },
    acknowledged: (zone, secondary) =>
      log.debug({ zone, secondary }, `${secondary} acknowledged the change of ${zone}.`),
    unacknowledged: (zone, secondary, why) =>
      log.warn(
        { zone, secondary, why },
        `${secondary} did not acknowledge the change of ${zone}: ${why}`,
      ),
  }
}

/** Returns a function that is true for a text that is new within the hour, up to a limit of texts. */
function oncePerHour(): (text: string) => boolean {
  const told = new Set<string>()
  let sinceMs = performance.now()
  return (text) => {
    if (performance.now() - sinceMs > HOUR_MS) {
      told.clear()
      sinceMs = performance.now()
    }
    if (told.has(text) || told.size >= TOLD_PER_HOUR) return false
    told.add(text)
    return true
  }
}
