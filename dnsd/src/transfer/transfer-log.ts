import type { Logger } from 'pino'
import type { TransferEvents, TransferRefusal } from './events.ts'

const REFUSALS: Readonly<Record<TransferRefusal, string>> = {
  'not-allowed': 'the settings do not allow it',
  'bad-signature': 'its signature is wrong, out of date, or of a key that is not known',
  busy: 'too many transfers wait',
  incomplete: 'changes of it were lost on disk; it is read from the database first',
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
      else if (kind === 'differences') log.debug(fields, `${client} got what changed in ${zone}.`)
      else log.debug(fields, `${client} has the newest version of ${zone}.`)
    },
    broken(zone, client, err) {
      const why = err === undefined ? 'it hung up' : err.message
      log.warn({ zone, client, err }, `The transfer of ${zone} to ${client} broke off: ${why}`)
    },
    acknowledged: (zone, secondary) =>
      log.debug({ zone, secondary }, `${secondary} knows that ${zone} changed.`),
    unacknowledged: (zone, secondary, why) =>
      log.warn(
        { zone, secondary, why },
        `${secondary} could not be told that ${zone} changed: ${why}`,
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
