import { hash, verify } from '@node-rs/argon2'

/** Hashes passwords. An interface, so that tests can count evaluations. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/**
 * argon2id with 19 MiB, two passes, one lane: the package's default, and the first choice of
 * OWASP's cheat sheet. Runs on libuv's threads.
 */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => hash(password),
  verify: (stored, password) => verify(stored, password),
}

/**
 * A hash of an unknown password, with the same parameters. It is evaluated where there is no
 * account, so that the response time does not reveal that.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bZeevPVaghSnWHH1qQmF9w$pEeWv5AMwS6V6vGBcvphwokCH2XfwxNibigCzeBSx5I'
