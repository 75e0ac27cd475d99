/** What replaces the placeholders of a template. */
export interface UpdateSettings {
  /** The origin of the service: `https://dns.example.net`. */
  readonly origin: string
  readonly fqdn: string
  /** The update token; undefined if it is not known. */
  readonly token: string | undefined
}

/** Stands for a token that is not known. */
export const UNKNOWN_TOKEN = 'UPDATE_TOKEN'

/** Chooses in each `‹with TLS|without TLS›`. */
export const chooseByTls = (template: string, hasTls: boolean): string =>
  template.replaceAll(/‹([^|›]*)\|([^›]*)›/g, hasTls ? '$1' : '$2')

/** ddclient refuses a server without a dot in its name. The service listens on IPv4 where it is developed. */
const originForPrograms = (origin: string) => origin.replace(/\/\/localhost(?=:|$)/, '//127.0.0.1')

/** The placeholders, as whole words: `USERNAME` and `$HOMING_TOKEN` are not meant. */
const PLACEHOLDER = /https:\/\/SERVICE\b|\b(?:SERVICE|NAME|TOKEN)\b/g

/** Replaces the placeholders of a template. */
export function fillIn(template: string, { origin, fqdn, token }: UpdateSettings): string {
  const { host, protocol } = new URL(originForPrograms(origin))
  const meant = new Map([
    ['https://SERVICE', originForPrograms(origin)],
    ['SERVICE', host],
    ['NAME', fqdn],
    ['TOKEN', token ?? UNKNOWN_TOKEN],
  ])
  const chosen = chooseByTls(template, protocol === 'https:')
  return chosen.replaceAll(PLACEHOLDER, (placeholder) => meant.get(placeholder) ?? placeholder)
}

/** Whether a text contains the token. */
export const holdsToken = (template: string): boolean => /\bTOKEN\b/.test(template)
