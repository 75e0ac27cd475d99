/** Own zones and vanity name servers, in one world of name servers: the guide, and a journey with other domains. */
import { afterAll, beforeAll } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { temporaryDataDir } from './support/stack.ts'
import { startVanityWorld, type VanityWorld } from './support/vanity-world.ts'
import { testGuide } from './vanity/guide.ts'
import { testJourney } from './vanity/journey.ts'

const { skip: isSkipped = false } = needs('root', 'ip', 'nsenter', 'dig')
const folder = temporaryDataDir()
let world: VanityWorld

beforeAll(async () => {
  if (!isSkipped) world = await startVanityWorld(folder.path)
})
afterAll(async () => {
  await world?.close()
  folder.remove()
})

testGuide(() => world)
testJourney(() => world)
