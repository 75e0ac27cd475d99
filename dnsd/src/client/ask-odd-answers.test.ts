/* What `ask` does with answers that are forged, truncated, unreadable, or refuse EDNS. */
import { createSocket } from 'node:dgram'
import { type Answer, decode } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { address, addressesIn, answerTo, nameServer, QUESTION, type Reply } from './test-support.ts'

const TC = 0x0200

describe('other datagrams are ignored', () => {
  const right: Reply = address('192.0.2.1')
  const changed = (change: (octets: Buffer) => unknown): Reply => {
    return (asked) => {
      const wrong = address('192.0.2.66')(asked) as Buffer
      change(wrong)
      return [wrong, right(asked) as Buffer]
    }
  }

  it.each<[string, Reply]>([
    ['another ID', changed((octets) => octets.writeUInt16BE(octets.readUInt16BE(0) ^ 1, 0))],
    ['a question', changed((octets) => octets.writeUInt8(0, 2))],
    ['an answer to NOTIFY', changed((octets) => octets.writeUInt8(0xa4, 2))],
    ['another name', changed((octets) => octets.write('away', 13))],
    ['another type', changed((octets) => octets.writeUInt16BE(28, 12 + 11))],
    ['two questions', changed((octets) => octets.writeUInt16BE(2, 4))],
    ['no question', changed((octets) => octets.writeUInt16BE(0, 4))],
    ['a few octets', (asked) => [Buffer.alloc(5), right(asked) as Buffer]],
  ])('%s', async (_what, reply) => {
    const server = await nameServer(reply)
    const { answers } = await ask(QUESTION, [server])
    expect(addressesIn(answers)).toEqual(['192.0.2.1'])
  })

  it('from another port', async () => {
    const forger = createSocket('udp4')
    const server = await nameServer((asked) => {
      if (asked.from !== undefined) {
        const { port } = asked.from
        forger.send(address('192.0.2.66')(asked) as Buffer, port, '127.0.0.1')
      }
      return right(asked)
    })
    const { answers } = await ask(QUESTION, [server])
    expect(addressesIn(answers)).toEqual(['192.0.2.1'])
    forger.close()
  })
})

describe('over TCP', () => {
  it('repeats a truncated query', async () => {
    const server = await nameServer((asked) =>
      asked.transport === 'udp' ? answerTo(asked, { flags: TC }) : address('192.0.2.1')(asked),
    )
    const { answers, transport } = await ask(QUESTION, [server])
    expect([addressesIn(answers), transport]).toEqual([['192.0.2.1'], 'tcp'])
  })

  it('repeats a query whose answer has another letter case', async () => {
    const server = await nameServer((asked) => {
      const answer = address('192.0.2.1')(asked) as Buffer
      answer.write('HOME', 13)
      return answer
    })
    const random = (count: number) => Buffer.alloc(count)
    const { answers, transport } = await ask(QUESTION, [server], { random })
    expect([addressesIn(answers), transport]).toEqual([['192.0.2.1'], 'tcp'])
  })

  it('is the only transport on request', async () => {
    const server = await nameServer(address('192.0.2.1'))
    expect((await ask(QUESTION, [server], { transport: 'tcp' })).transport).toBe('tcp')
    expect(server.asked).toHaveLength(1)
  })

  it.each<[string, Reply, RegExp]>([
    ['another question', () => Buffer.alloc(40), /answered another question/],
    ['nothing', () => [], /closed the connection before its answer was whole/],
  ])('%s is not an answer', async (_what, reply, message) => {
    const server = await nameServer(reply)
    await expect(ask(QUESTION, [server], { transport: 'tcp', tries: 1 })).rejects.toThrow(message)
  })
})

describe('EDNS', () => {
  it.each([1, 4])('refused with code %i is left out', async (code) => {
    const server = await nameServer((asked) =>
      decode(asked.octets).additionals?.length === 0
        ? address('192.0.2.1')(asked)
        : answerTo(asked, { flags: code }),
    )
    expect(addressesIn((await ask(QUESTION, [server])).answers)).toEqual(['192.0.2.1'])
    expect(server.asked).toHaveLength(2)
  })

  it('is left out once: FORMERR without it is the answer', async () => {
    const server = await nameServer((asked) => {
      const header = Buffer.from(answerTo(asked, { flags: 1 }).subarray(0, 12))
      header.writeUInt16BE(0, 4)
      return header
    })
    expect((await ask(QUESTION, [server])).rcode).toBe('FORMERR')
  })
})

describe('an answer that cannot be read', () => {
  it.each<[string, Reply]>([
    [
      'says that it has records and ends',
      (asked) => {
        const answer = answerTo(asked)
        answer.writeUInt16BE(1, 6)
        return answer
      },
    ],
    [
      'has an owner name with a dot in a label',
      (asked) => {
        const answer = address('192.0.2.1')(asked) as Buffer
        // Four letters, the dot between the labels, and the second label, as one label.
        const owner = answer.lastIndexOf(Buffer.from('\u0004home\u0004test'))
        answer.writeUInt8(9, owner)
        answer.write('.', owner + 5)
        return answer
      },
    ],
    [
      'has a target with octets outside ASCII',
      (asked) => {
        const record: Answer = { type: 'CNAME', name: 'home.test', ttl: 1, data: 'other.test' }
        const answer = answerTo(asked, { answers: [record] })
        answer.writeUInt8(0xc3, answer.lastIndexOf('other'))
        return answer
      },
    ],
  ])('%s', async (_what, reply) => {
    const bad = await nameServer(reply)
    const good = await nameServer(address('192.0.2.1'))
    expect(addressesIn((await ask(QUESTION, [bad, good])).answers)).toEqual(['192.0.2.1'])
    await expect(ask(QUESTION, [bad])).rejects.toMatchObject({
      reason: 'bad-answer',
      message: expect.stringContaining('sent an answer that cannot be decoded'),
    })
  })
})
