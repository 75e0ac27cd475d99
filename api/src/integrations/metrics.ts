/** The metrics of a process, in the text format of Prometheus. */
import { collectDefaultMetrics, Registry } from 'prom-client'

/** Creates a registry of its own with the default metrics of Node.js, because tests build several apps in one process. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
