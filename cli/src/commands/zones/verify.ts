import * as Args from '@oclif/core/args'
import { bodyOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { findOwnZone, OWN_ZONE_FIELDS } from '../../lib/own-zones.ts'
import { VerifyCommand } from '../../verify-command.ts'

export default class ZonesVerify extends VerifyCommand {
  static override summary = 'Check the delegation and the proof of ownership of an own zone.'
  static override description = `The service asks each server of the parent zone, from the root on. The command exits with ${EXIT.failed} while the zone is not verified. An account can make 30 checks per hour; the service also checks by itself.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com --wait --timeout 2h',
    '<%= config.bin %> <%= command.id %> example.com --verbose',
  ]
  static override jsonFields = OWN_ZONE_FIELDS
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesVerify)
    return this.asCaller(flags, async ({ api }) => {
      const { id } = await findOwnZone(api, args.zone)
      const call = { params: { path: { id } } }
      const zone = await this.verified(flags, {
        check: async () => bodyOf(await api.POST('/api/zones/{id}/verify', call), 'id', 'state'),
        read: async () => bodyOf(await api.GET('/api/zones/{id}', call), 'id', 'state'),
      })
      await this.report(zone, flags, { json: zone })
      this.note(
        `Verified. DNS serves ${zone.zone}.`,
        `Next: homing records add ${zone.zone} TYPE OWNER VALUE`,
      )
      return zone
    })
  }
}
