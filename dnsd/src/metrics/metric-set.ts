import type { Histogram } from 'prom-client'
import { Counter, Gauge, Registry } from './prometheus.ts'

const PREFIX = 'homing_dnsd_'

/** Shows figures that others keep: it sets those of each kind, and those that it does not set are not shown. */
export type Collect<T extends string> = (
  set: (labels: Partial<Record<T, string>>, value: number) => void,
) => void

/** A histogram that is kept elsewhere: how many fell under each bound and past the last one. */
export interface KeptHistogram {
  readonly counts: readonly number[]
  readonly sumSeconds: number
}

/** The metrics of this process, by the names that they all begin with. */
export class MetricSet {
  readonly registry = new Registry()

  /** A figure that only grows, kept here. */
  counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    const registers = [this.registry]
    return new Counter({ name: PREFIX + name, help, labelNames, registers })
  }

  /** A figure that only grows, kept by others. */
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

  /** A figure of this moment. */
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
        // One without labels would show 0 where there is no figure.
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
    // What the registry asks of a metric; a histogram of the library would have to be told each time by itself.
    const metric = { name: full, help, type: 'histogram', get } as unknown as Histogram
    this.registry.registerMetric(metric)
  }
}
