/** What must work within the rate limits of a new service, on one that has them. */
import { afterAll, beforeAll } from 'vitest'
import { testDevices } from './default-limits/devices.ts'
import { testJourney } from './default-limits/journey.ts'
import { type Stack, startStack, temporaryDataDir } from './support/stack.ts'

const folder = temporaryDataDir()
let stack: Stack

beforeAll(async () => {
  stack = await startStack({ dataDir: folder.path })
})
afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

testJourney(() => stack)
testDevices(() => stack)
