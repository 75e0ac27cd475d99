import type { FoldedName, TableReader } from '../table/index.ts'

const names = new WeakMap<TableReader, FoldedName>()

/**
 * One shared object for look-ups in all zones of a table, because one per zone would cost each a kilobyte. A
 * name is read into it and looked up synchronously, so no other look-up can overwrite it.
 */
export function currentName(table: TableReader): FoldedName {
  const known = names.get(table)
  if (known !== undefined) return known
  const name = table.newName()
  names.set(table, name)
  return name
}
