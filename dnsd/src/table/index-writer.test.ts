import { expect, it } from 'vitest'
import { IndexWriter } from './index-writer.ts'

// Multiplied by an odd constant, so that names are distributed over the slots as by a hash.
const hashOf = (ref: number): number => Math.imul(ref, 0x9e3779b1)

/** An index whose moves continue only with changes, as when many changes arrive together. */
function indexOf(expectedNames: number): IndexWriter {
  const nothing = () => undefined
  return new IndexWriter({ expectedNames, hashOf, onMoveBegun: nothing, onMoved: nothing })
}

function insert(index: IndexWriter, fromRef: number, toRef: number): void {
  for (let ref = fromRef; ref < toRef; ref++) index.insert(hashOf(ref), ref, true)
}

it.each([
  ['it is shrunk', (index: IndexWriter) => index.shrinkIfSparse()],
  ['names that are gone fill it', () => undefined],
])('has room for all names that are added during a move because %s', (_, begin) => {
  const index = indexOf(50_000)
  const full = index.index.limit
  insert(index, 1, full)
  for (let ref = 11; ref < full; ref++) index.remove(hashOf(ref), ref)
  begin(index)
  insert(index, full, full + 5_000)
  expect(index.names).toBe(5_010)
  const { slots } = index.index
  expect(index.names / slots).toBeLessThan(0.7)
  for (let ref = full; ref < full + 5_000; ref++) index.replace(hashOf(ref), ref, ref)
})
