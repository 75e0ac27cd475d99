import type { components } from '@homing/openapi/client'
import { bodyOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { isRight, unverifiedSentence } from '../../lib/own-zones.ts'
import { readVanity } from '../../lib/vanity.ts'
import { VerifyCommand } from '../../verify-command.ts'

type Verification = components['schemas']['VanityVerification']

const RIGHT = 'Verification successful! Your vanity nameservers are now active.'
const WRONG = 'Verification failed. Please check your glue records.'

export default class VanityVerify extends VerifyCommand {
  static override summary = 'Check whether your vanity name servers work.'
  static override description = `The service asks each server of the parent zone, from the root on. The command exits with ${EXIT.failed} while the name servers are not verified. An account can make 30 checks per hour; the service also checks by itself.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --wait --timeout 2h',
    '<%= config.bin %> <%= command.id %> --verbose',
  ]
  static override jsonFields = ['status', 'message', 'zone']

  async run() {
    const { flags } = await this.parse(VanityVerify)
    return this.asCaller(flags, async ({ api }) => {
      let message: string | undefined
      const zone = await this.verified(flags, {
        check: async () => {
          const body = bodyOf(await api.POST('/api/vanity-ns/verify'), 'status', 'zone')
          message = body.message
          return body.zone
        },
        read: async () => {
          message = undefined
          const { zone: read } = await readVanity(api)
          if (read !== null) return read
          throw new CommandFailure(EXIT.notFound, 'Your vanity name servers were removed.')
        },
      })
      const isDone = isRight(zone)
      const wrong = zone.last_check?.is_right === true ? unverifiedSentence(zone) : WRONG
      message ??= isDone ? RIGHT : wrong
      const result: Verification = { status: isDone ? 'verified' : 'pending', message, zone }
      await this.report(zone, flags, { json: result, pending: message })
      this.note(message, 'Next: homing zones add example.org --vanity')
      return result
    })
  }
}
