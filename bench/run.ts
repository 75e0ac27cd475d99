/** Runs `make bench`: each benchmark in its own process, one after another. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

let failed = 0
for (const [name, ...args] of [
  ['api'],
  ['overload'],
  ['update'],
  ['history'],
  ['analytics'],
  ['batches'],
  ['records'],
  ['refusals'],
  ['streams'],
  ['live'],
  ['delegation'],
  ['own-zones'],
  ['payments'],
  ['follow'],
  ['forwarder'],
  ['forward-follow'],
  ['cli'],
  ['dns', '--short'],
]) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
