import type { Knex } from 'knex'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../config/config-error.ts'
import type { Administrator } from '../config/administrator.ts'
import { ensureAdministrator, hasAdministrator } from '../credentials/administrator.ts'
import { randomSecret, readSecret, writeSecret } from './kept-secret.ts'

export interface FirstAdministrator {
  readonly username: string
  readonly outcome: 'created' | 'exists'
  /** The random password that this run generated, to be shown once on a terminal. */
  readonly newPassword?: string
}

export interface AdministratorOptions {
  readonly admin: Administrator
  /**
   * Whether a random password may be generated, which only the file would contain. Never in
   * production.
   */
  readonly allowsRandomPassword: boolean
  /** The file that stores the password; undefined: no file is written. */
  readonly passwordFile: string | undefined
}

/** @throws ConfigError when the environment and the file contain no password and none may be generated */
function passwordFor(options: AdministratorOptions, kept: string | undefined): string {
  const { admin, allowsRandomPassword, passwordFile } = options
  if (admin.password !== undefined) return admin.password
  if (allowsRandomPassword && passwordFile !== undefined) return kept ?? randomSecret()
  throw new ConfigError(
    'ADMIN_PASSWORD',
    undefined,
    'the password of the first administrator: production requires it until an administrator exists',
  )
}

/**
 * Creates the first administrator when none exists. The password is on disk before the account exists, so after a
 * crash between the two the next run finds it. The caller holds the migration lock: two processes with one
 * password file would overwrite each other's password.
 *
 * @throws ConfigError when a password is missing; AdministratorTaken when another account has the name or address
 */
export async function provideAdministrator(
  knex: Knex,
  options: AdministratorOptions,
): Promise<FirstAdministrator> {
  const { admin, passwordFile } = options
  const { username, email } = admin
  // Most runs find an administrator. They need no password and touch no file.
  if (await hasAdministrator(knex)) return { username, outcome: 'exists' }
  const kept = passwordFile === undefined ? undefined : readSecret(passwordFile)
  const password = passwordFor(options, kept)
  if (passwordFile !== undefined && kept !== password) {
    mkdirSync(dirname(passwordFile), { recursive: true })
    writeSecret(passwordFile, password)
  }
  let outcome: FirstAdministrator['outcome'] | undefined
  try {
    outcome = await ensureAdministrator(knex, { username, email, password })
  } finally {
    // No account uses the password that was just written.
    const isWritten = passwordFile !== undefined && kept !== password
    if (outcome !== 'created' && isWritten) rmSync(passwordFile, { force: true })
  }
  const isRandom = outcome === 'created' && admin.password === undefined
  return { username, outcome, ...(isRandom ? { newPassword: password } : {}) }
}
