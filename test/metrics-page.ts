/** Metrics as a process has them and as its page of the reference describes them. */
import { readFileSync } from 'node:fs'

/** The rows of a page's tables, as `name label, label`; of names, what is behind the process's prefix. */
export function describedMetrics(page: URL): string[] {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)
  return [...rows].map(([, name, labels = '']) => `${name} ${labels.replaceAll('`', '').trim()}`)
}

export interface PresentMetric {
  readonly name: string
  /** As the page has it. */
  readonly row: string
}

/** @param prefix what the names of the process's own metrics begin with */
export function presentMetrics(
  registry: { getMetricsAsArray(): readonly object[] },
  prefix: string,
): PresentMetric[] {
  return registry.getMetricsAsArray().map((metric) => {
    // The library's own type does not say that each has its labels.
    const {
      name,
      type,
      labelNames = [],
    } = metric as {
      name: string
      type?: string
      labelNames?: readonly string[]
    }
    const labels = type === 'histogram' ? [...labelNames, 'le'] : labelNames
    return { name, row: `${name.slice(prefix.length)} ${labels.join(', ')}` }
  })
}
