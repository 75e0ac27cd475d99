import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { components } from '@homing/openapi/client'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { usage } from '../../lib/failure.ts'
import { changedScope, limitFlags, limitsOf } from '../../lib/key-scope.ts'
import { findKey, KEY_FIELDS, keyFacts } from '../../lib/keys.ts'
import { facts } from '../../lib/output.ts'

const LIMITS = ['domain', 'action', 'type', 'from', 'expires', 'unused-days'] as const

export default class KeysUpdate extends AccountCommand {
  static override summary = 'Change the name, scope or expiry of an API key.'
  static override description =
    'The secret stays the same, and the change takes effect at once. Omitted values stay unchanged. A new limit replaces the former limit of the same kind. If the key can do more afterwards, you confirm your identity and get a mail.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline --action read',
    '<%= config.bin %> <%= command.id %> pipeline --rename ci --expires 90d',
    'Without a limit on domains, and without an end\n<%= config.bin %> <%= command.id %> pipeline --no-limit domain --no-limit expires',
  ]
  static override jsonFields = KEY_FIELDS
  static override args = {
    key: Args.string({ description: 'its id, name or prefix', required: true }),
  }
  static override flags = {
    ...limitFlags,
    rename: Flags.string({ description: 'its new name', helpValue: 'NAME' }),
    'no-limit': Flags.option({
      description: 'a limit to remove',
      options: LIMITS,
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'SCOPE',
    })(),
  }

  async run() {
    const { args, flags } = await this.parse(KeysUpdate)
    const { rename, 'no-limit': removed = [] } = flags
    const both = removed.find((name) => flags[name] !== undefined)
    if (both !== undefined) throw usage(`--${both} and --no-limit ${both} cannot be used together.`)
    const { scope, ...lifetime } = limitsOf(flags, Date.now())
    const change: Omit<components['schemas']['ApiKeyChange'], 'scope'> = {
      ...(rename !== undefined && { name: rename }),
      ...lifetime,
      ...(removed.includes('expires') && { expires_at: null }),
      ...(removed.includes('unused-days') && { unused_days: null }),
    }
    const isScopeChanged = changedScope(undefined, scope, removed) !== undefined
    if (Object.keys(change).length === 0 && !isScopeChanged) {
      throw usage('Give what to change, such as --rename, --domain or --expires.')
    }
    const key = await this.asCaller(flags, async ({ api }) => {
      const found = await findKey(api, args.key)
      const whole = changedScope(found.scope, scope, removed)
      const answer = await api.PUT('/api/api-keys/{id}', {
        params: { path: { id: found.id } },
        headers: { 'If-Match': `"${found.version}"` },
        body: { ...change, ...(whole !== undefined && { scope: whole }) },
      })
      return bodyOf(answer, 'id', 'scope')
    })
    this.print(facts(keyFacts(key)))
    this.note(`Changed. Test it: homing keys test ${key.id} ACTION DOMAIN`)
    return key
  }
}
