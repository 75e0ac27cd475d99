import { expect, test, vi } from 'vitest'
import { type BulkLine, runBatches } from './run-batches.ts'

const linesOf = (count: number): BulkLine[] =>
  Array.from({ length: count }, (_, n) => ({
    domain: { id: String(n), fqdn: `d${n}.example.net`, is_wildcard: false },
    operation: { op: 'delete', id: String(n) },
  }))
const idsOf = (lines: readonly { domain: { id: string } }[]) => lines.map(({ domain }) => domain.id)
const applied = { isApplied: true, verdicts: [] }

test('500 lines at a time, with the progress; one refused line holds back its batch alone', async () => {
  const onProgress = vi.fn()
  const verdict = { op: 'delete', id: null, fqdn: null } as const
  const refusal = {
    isApplied: false,
    verdicts: [
      { ...verdict, index: 0, ok: false, detail: 'It is locked.' },
      { ...verdict, index: 1, ok: true },
    ],
  }
  const send = vi.fn(async (operations: readonly object[]) =>
    Promise.resolve(operations.length === 500 ? applied : refusal),
  )
  const report = await runBatches(linesOf(502), { send, onProgress, isStopped: () => false })
  expect(send.mock.calls.map(([operations]) => operations.length)).toEqual([500, 2])
  expect(onProgress.mock.calls).toEqual([[500], [502]])
  expect([report.done.length, idsOf(report.held), report.waiting]).toEqual([500, ['501'], []])
  expect(report.refused).toEqual([{ domain: linesOf(501)[500]?.domain, reason: 'It is locked.' }])
})

test('stopped or interrupted, the report has what is done and what waits', async () => {
  let sent = 0
  const send = async () => {
    sent += 1
    return sent === 1 ? Promise.resolve(applied) : Promise.reject(new TypeError('offline'))
  }
  const lines = linesOf(1_200)
  const interrupted = await runBatches(lines, { send, onProgress: vi.fn(), isStopped: () => false })
  expect([interrupted.done.length, interrupted.waiting.length]).toEqual([500, 700])
  expect(interrupted.error?.message).toBe('offline')
  sent = 0
  const stopped = await runBatches(lines, {
    send,
    onProgress: vi.fn(),
    isStopped: () => sent === 1,
  })
  expect([stopped.done.length, stopped.waiting.length, stopped.error]).toEqual([
    500,
    700,
    undefined,
  ])
})
