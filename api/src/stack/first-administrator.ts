import type { Knex } from 'knex'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SupervisorConfig } from '../config/supervisor.ts'
import { ensureAdministrator } from '../credentials/administrator.ts'
import { randomSecret, readSecret, writeSecret } from './kept-secret.ts'

export interface FirstAdministrator {
  readonly username: string
  readonly passwordFile: string
  /** The random password that this start has made, to be shown once. */
  readonly newPassword?: string
}

/** The file that keeps the first administrator's password. */
function adminPasswordFile(dataDir: string): string {
  return join(dataDir, 'admin-password')
}

/**
 * Makes the first administrator when there is none. The password is on disk
 * before the account exists: a start that dies between the two finds it again.
 */
export async function provideAdministrator(
  knex: Knex,
  { admin, dataDir }: SupervisorConfig,
): Promise<FirstAdministrator> {
  const { username, email } = admin
  const passwordFile = adminPasswordFile(dataDir)
  const kept = readSecret(passwordFile)
  const password = admin.password ?? kept ?? randomSecret()
  if (kept === undefined) writeSecret(passwordFile, password)

  const result = await ensureAdministrator(knex, { username, email, password })
  if (result === 'exists') {
    // What was just written is nobody's password.
    if (kept === undefined) rmSync(passwordFile)
    return { username, passwordFile }
  }
  if (kept !== undefined && kept !== password) writeSecret(passwordFile, password)
  return admin.password === undefined
    ? { username, passwordFile, newPassword: password }
    : { username, passwordFile }
}
