import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The metrics of uptime monitoring in a worker. */
export function monitorMetrics(registry: Registry) {
  const registers = [registry]
  return {
    checks: new Counter({
      name: 'homing_monitor_checks_total',
      help: 'Recorded checks, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    lag: new Histogram({
      name: 'homing_monitor_lag_seconds',
      help: 'How late checks begin.',
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    underWay: new Gauge({
      name: 'homing_monitor_under_way',
      help: 'Checks in progress.',
      registers,
    }),
    blind: new Gauge({
      name: 'homing_monitor_blind',
      help: 'Whether the network of this worker seems to be down: 1, otherwise 0.',
      registers,
    }),
    postponed: new Counter({
      name: 'homing_monitor_postponed_total',
      help: 'Checks that were postponed, because their address had its maximum number of checks in that minute.',
      registers,
    }),
    dropped: new Counter({
      name: 'homing_monitor_dropped_total',
      help: 'Results that could not be recorded in time, or were invalid.',
      registers,
    }),
  }
}

export type MonitorMetrics = ReturnType<typeof monitorMetrics>
