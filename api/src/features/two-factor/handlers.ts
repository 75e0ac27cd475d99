import type { SecondFactors as SecondFactorsBody } from '@homing/openapi'
import {
  isSecondFactorOn,
  methodsOf,
  type SecondFactors,
  secondFactorsOf,
} from '../../credentials/second-factors.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { handOver, handOverRenewed, requireOwnPage } from '../../plugins/sign-in-answer.ts'
import { confirmAuthenticator, removeAuthenticator, startAuthenticator } from './authenticator.ts'
import { completeLogin } from './complete-login.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'

function factorsBody(factors: SecondFactors): SecondFactorsBody {
  return {
    is_on: isSecondFactorOn(factors),
    methods: methodsOf(factors),
    totp_since: factors.totpSince?.toISOString() ?? null,
    passkeys: factors.passkeys,
    recovery_codes_left: factors.recoveryCodesLeft,
  }
}

export const twoFactorHandlers = handlersFor('two-factor', {
  async completeLogin(call) {
    requireOwnPage(call)
    return {
      body: await handOver(call, await completeLogin(call.services, call.body, call.source)),
    }
  },

  async confirmIdentity(call) {
    const token = await confirmIdentity(call.services, call.principal, call.body, call.source)
    return { body: handOverRenewed(call, call.principal, token) }
  },

  async getSecondFactors({ services, principal }) {
    return { body: factorsBody(await secondFactorsOf(services.knex, principal.account.id)) }
  },

  async startTotp({ services, principal }) {
    return { body: await startAuthenticator(services, principal) }
  },

  async confirmTotp({ services, principal, body }) {
    const codes = await confirmAuthenticator(services, principal, body.code)
    return { body: { recovery_codes: codes } }
  },

  async endTotp({ services, principal }) {
    await removeAuthenticator(services, principal)
    return { body: undefined }
  },

  async renewRecoveryCodes({ services, principal }) {
    return { body: { recovery_codes: await renewRecoveryCodes(services, principal) } }
  },
})
