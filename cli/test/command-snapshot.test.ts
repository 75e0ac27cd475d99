import { expect, test } from 'vitest'
import { COMMANDS } from '../src/commands/index.ts'

/** What scripts rely on. A changed line is a changed contract: say so in the CHANGELOG. */
const snapshot = Object.entries(COMMANDS).map(([command, { args, flags, enableJsonFlag }]) => ({
  command: command.replaceAll(':', ' '),
  args: Object.keys(args ?? {}),
  flags: [...Object.keys(flags), ...(enableJsonFlag ? ['json'] : [])].sort(),
}))

test('commands, arguments and flags are those of command-snapshot.json', async () => {
  await expect(`${JSON.stringify(snapshot, null, 2)}\n`).toMatchFileSnapshot(
    '../command-snapshot.json',
  )
})
