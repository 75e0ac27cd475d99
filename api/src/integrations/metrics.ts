/** What a process counts, in the text format of Prometheus. */
import { collectDefaultMetrics, Registry } from 'prom-client'

/** A registry of its own with what Node.js tells of the process: tests build several apps in one. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
