/** Update storms on one service: while its parts are killed, and with a second DNS daemon. */
import { afterAll, beforeAll } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { testKills } from './storm/kills.ts'
import { testReplicas } from './storm/replicas.ts'
import { type Stack, startStack, temporaryDataDir } from './support/stack.ts'

const folder = temporaryDataDir()
let stack: Stack
let metricsPort = 0

beforeAll(async () => {
  ;[metricsPort = 0] = await freePorts(1)
  const env = { RATE_LIMITS: 'off', DNS_METRICS_PORT: String(metricsPort) }
  stack = await startStack({ dataDir: folder.path, env })
})
afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

testKills(() => stack)
testReplicas(
  () => stack,
  () => metricsPort,
)
