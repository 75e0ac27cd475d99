import type { Histogram } from 'prom-client'
import { Counter, Gauge, Registry } from './prometheus.ts'

const PREFIX = 'homing_dnsd_'

/**
 * Exports values that other modules keep: it sets one value for each combination of labels. Combinations that
 * it does not set are not exported.
 */
export type Collect<T extends string> = (
  set: (labels: Partial<Record<T, string>>, value: number) => void,
) => void

/** A histogram that another module keeps: the counts below each bound and above the last one. */
export interface KeptHistogram {
  readonly counts: readonly number[]
  readonly sumSeconds: number
}

/** The metrics of this process. Their names have a common prefix. */
export class MetricSet {
  readonly registry = new Registry()

  /** A counter that is kept here. */
  counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    const registers = [this.registry]
    return new Counter({ name: PREFIX + name, help, labelNames, registers })
  }

  /** A counter that another module keeps. */
  total<T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: Collect<T>,
  ): void {
    const counter: Counter<T> = new Counter({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        counter.reset()
        collect((labels, value) => counter.inc(labels, value))
      },
    })
  }

  /** A current value. */
  gauge<T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    collect: Collect<T>,
  ): void {
    const gauge: Gauge<T> = new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        gauge.reset()
        // A gauge without labels would export 0 when there is no value.
        if (labelNames.length === 0) gauge.remove()
        collect((labels, value) => gauge.set(labels, value))
      },
    })
  }

  histogram(
    name: string,
    help: string,
    boundsSeconds: readonly number[],
    collect: () => KeptHistogram,
  ): void {
    const full = PREFIX + name
    const get = async () => {
      const { counts, sumSeconds } = collect()
      let count = 0
      const buckets = counts.map((inBucket, index) => {
        count += inBucket
        const le = boundsSeconds[index] ?? '+Inf'
        return { metricName: `${full}_bucket`, labels: { le }, value: count }
      })
      const totals = [
        { metricName: `${full}_sum`, labels: {}, value: sumSeconds },
        { metricName: `${full}_count`, labels: {}, value: count },
      ]
      const values = [...buckets, ...totals]
      return { name: full, help, type: 'histogram', aggregator: 'sum', values }
    }
    // The registry needs only these members. A histogram of the library can only be filled one observation at a
    // time.
    const metric = { name: full, help, type: 'histogram', get } as unknown as Histogram
    this.registry.registerMetric(metric)
  }
}
