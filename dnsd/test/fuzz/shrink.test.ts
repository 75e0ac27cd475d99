import { expect, it } from 'vitest'
import { shrink, shrinkSlowly } from './shrink.ts'

const has = (packet: Buffer) => packet.includes(0xff) && packet.length >= 3
const packet = Buffer.from('0102030405ff060708090a0b0c0d', 'hex')

it('keeps the required part and nothing else', async () => {
  expect(shrink(packet, has).toString('hex')).toMatch(/^(0000ff|00ff00|ff0000)$/)
  expect(await shrinkSlowly(packet, async (one) => has(one))).toEqual(shrink(packet, has))
})

it('returns a packet that cannot be shrunk', () => {
  expect(shrink(packet, () => false)).toEqual(packet)
})
