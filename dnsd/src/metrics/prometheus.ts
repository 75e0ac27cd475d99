/*
 * The parts of prom-client that are used here. Its main entry also loads the push gateway, the cluster
 * aggregation and the default metrics of the process: 7 MiB in a process that must stay small.
 */
import { createRequire } from 'node:module'
import type * as PromClient from 'prom-client'

const load = createRequire(import.meta.url)

export type Counter<T extends string = string> = PromClient.Counter<T>
export type Gauge<T extends string = string> = PromClient.Gauge<T>
export type Registry = PromClient.Registry

export const Counter = load('prom-client/lib/counter') as typeof PromClient.Counter
export const Gauge = load('prom-client/lib/gauge') as typeof PromClient.Gauge
export const Registry = load('prom-client/lib/registry') as typeof PromClient.Registry
