/** The metrics of a process, and the metrics that its reference page describes. */
import { readFileSync } from 'node:fs'

/** The rows of a page's tables, as `name label, label`. Names are without the prefix of the process. */
export function describedMetrics(page: URL): string[] {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)
  return [...rows].map(([, name, labels = '']) => `${name} ${labels.replaceAll('`', '').trim()}`)
}

export interface PresentMetric {
  readonly name: string
  /** The row in the form of the page. */
  readonly row: string
}

/** @param prefix the prefix of the process's own metrics */
export function presentMetrics(
  registry: { getMetricsAsArray(): readonly object[] },
  prefix: string,
): PresentMetric[] {
  return registry.getMetricsAsArray().map((metric) => {
    // The library's type does not include the labels.
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
