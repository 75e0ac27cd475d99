/** Command lines → classes. The path of a file is its command. */
import DomainsAdd from './domains/add.ts'
import Resolve from './resolve.ts'
import Update from './update.ts'

export const COMMANDS = {
  'domains:add': DomainsAdd,
  resolve: Resolve,
  update: Update,
}
