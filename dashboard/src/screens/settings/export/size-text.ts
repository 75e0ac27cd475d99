const UNITS = ['B', 'kB', 'MB', 'GB'] as const
const STEP = 1_000

/** A size with its unit: `812 B`, `1.2 MB`. */
export function sizeText(octets: number): string {
  let [value, unit] = [octets, 0]
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}
