/* Durations in master files: seconds, or numbers with units as introduced by BIND (1h30m). */

/** The largest TTL, 2³¹ - 1 seconds (RFC 2181 §8). */
export const TTL_LIMIT_SECONDS = 0x7fff_ffff

const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 }

/**
 * Seconds from `3600`, `1h30m`, `2W`; each unit may repeat, in any order, in any case.
 *
 * @returns undefined when the text is not a duration or exceeds 2³¹ - 1 seconds
 */
export function ttlFromText(text: string): number | undefined {
  let seconds = 0
  if (/^\d{1,10}$/.test(text)) {
    seconds = Number(text)
  } else {
    if (text.length > 40 || !/^(?:\d+[wdhms])+$/i.test(text)) return undefined
    for (const [, count, unit = ''] of text.matchAll(/(\d+)([a-z])/gi)) {
      seconds += Number(count) * (SECONDS[unit.toLowerCase()] ?? 0)
    }
  }
  return seconds <= TTL_LIMIT_SECONDS ? seconds : undefined
}
