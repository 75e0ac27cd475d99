/**
 * Finds cycles between rooms. A room is a folder of a workspace's `src`, a folder
 * below `features`, `screens` or `resources`, or a file that lies in `src` itself.
 *
 * Lint refuses imports that `boundaries.ts` names; it cannot see that two rooms
 * import each other when each import alone is allowed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'

/** Folders whose own folders are rooms. */
const WINGS = new Set(['features', 'screens', 'resources'])
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g
const isSource = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)test-support\.tsx?$|\.gen\.ts$/.test(path)

/** Room → room that it imports → one import that shows it. */
type RoomGraph = ReadonlyMap<string, ReadonlyMap<string, string>>

function roomOf(file: string): string {
  const [first = file, second] = file.split('/')
  return WINGS.has(first) && second !== undefined ? `${first}/${second}` : first
}

/** Which rooms of a `src` folder import which. Type imports count: a reader follows them too. */
function roomGraph(src: string): RoomGraph {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isSource)
  const known = new Set(files)
  const graph = new Map<string, Map<string, string>>()
  for (const file of files) {
    const room = roomOf(file)
    const imports = graph.get(room) ?? new Map<string, string>()
    graph.set(room, imports)
    for (const [, specifier = ''] of readFileSync(join(src, file), 'utf8').matchAll(IMPORT)) {
      const target = normalize(join(dirname(file), specifier)).replaceAll(sep, '/')
      if (known.has(target) && roomOf(target) !== room) {
        imports.set(roomOf(target), `${file} imports ${target}`)
      }
    }
  }
  return graph
}

/** The shortest way from one room to another along imports. */
function wayBetween(graph: RoomGraph, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (const room of cameFrom.keys()) {
    if (room === to) break
    for (const next of graph.get(room)?.keys() ?? []) {
      if (!cameFrom.has(next)) cameFrom.set(next, room)
    }
  }
  if (!cameFrom.has(to)) return undefined
  const way: string[] = []
  for (let at: string | undefined = to; at !== undefined; at = cameFrom.get(at)) way.unshift(at)
  return way
}

/**
 * The cycles between the rooms of each `src` folder, one finding for each pair of
 * rooms that closes one: the rooms in order, then an import for each step.
 *
 * @param root the project's root; findings name paths below it
 */
export function roomCycleFindings(root: string, folders: readonly string[]): string[] {
  const findings: string[] = []
  for (const folder of folders) {
    const graph = roomGraph(join(root, folder))
    const told = new Set<string>()
    for (const [room, imports] of graph) {
      for (const next of imports.keys()) {
        const back = wayBetween(graph, next, room)
        if (back === undefined) continue
        const key = [...new Set([room, ...back])].sort().join(' ')
        if (told.has(key)) continue
        told.add(key)
        findings.push(describeCycle(relative(root, join(root, folder)), graph, [room, ...back]))
      }
    }
  }
  return findings
}

function describeCycle(folder: string, graph: RoomGraph, rooms: readonly string[]): string {
  const steps = rooms.slice(1).map((to, n) => `    ${graph.get(rooms[n] ?? '')?.get(to)}`)
  return [`${folder}: cycle between rooms ${rooms.join(' → ')}`, ...steps].join('\n')
}
