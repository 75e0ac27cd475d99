/** argon2id at a hundredth of its price. Most tests sign in, and few are about the price of that. */
import { hash, verify } from '@node-rs/argon2'
import { NOBODYS_HASH, type PasswordHasher } from '../../src/credentials/password-hasher.ts'

const PARAMETERS = { memoryCost: 64, timeCost: 1, parallelism: 1 }
/** Evaluated in place of a hash with the parameters of the service, which no password of these tests has. */
const quickNobodys = hash('nobody', PARAMETERS)

export const quickHasher: PasswordHasher = {
  hash: (password) => hash(password, PARAMETERS),
  verify: async (stored, password) =>
    verify(stored === NOBODYS_HASH ? await quickNobodys : stored, password),
}
