import type { FoldedName, TableReader } from '../table/index.ts'

const names = new WeakMap<TableReader, FoldedName>()

/**
 * One object for the names that are looked for in a table, for all of its zones: one of their own would cost
 * each zone a kilobyte. A name is taken into it and looked up in one go, so nobody finds another's in it.
 */
export function nameInHand(table: TableReader): FoldedName {
  const known = names.get(table)
  if (known !== undefined) return known
  const name = table.newName()
  names.set(table, name)
  return name
}
